package io.distlock.records;

import java.util.Set;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords;
import io.distlock.records.state.LockText;
import io.distlock.records.state.StateRules;
import io.distlock.records.state.UnreadableRecordException;

/**
 * Finds the incarnations of processes in a record. Some places need them to ask which
 * incarnations are over before they can make a {@link LockRecords.StoreTime}.
 */
public final class RecordIncarnations {

	private RecordIncarnations() {
	}

	/**
	 * Returns the incarnations that hold the lock or wait for it.
	 * @param text a record, empty if it is absent
	 * @return the incarnations as {@link LockRecords.StoreTime#incarnation()} named them,
	 * each once
	 * @throws LockStoreException if the record cannot be read
	 */
	public static Set<String> in(String text) {
		try {
			return LockText.read(text, "", StateRules.MEMORY).incarnations();
		}
		catch (UnreadableRecordException ex) {
			throw new LockStoreException("", "The record of a lock cannot be read", ex);
		}
	}

}
