package io.distlock.spring.integration;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

import io.distlock.LockHandle;
import io.distlock.support.KeyText;

/** The handles of each thread, the latest acquisition of a key first. */
final class HeldLocks {

	private final ThreadLocal<Map<String, Deque<LockHandle>>> handles = ThreadLocal.withInitial(HashMap::new);

	void add(LockHandle handle) {
		try {
			this.handles.get().computeIfAbsent(handle.key(), (key) -> new ArrayDeque<>(1)).push(handle);
		}
		catch (Error ex) {
			// No unlock would find it, and it would be renewed for ever.
			handle.closeAsync();
			throw ex;
		}
	}

	LockHandle remove(String key) {
		Map<String, Deque<LockHandle>> mine = this.handles.get();
		Deque<LockHandle> ofKey = mine.get(key);
		LockHandle latest = (ofKey != null) ? ofKey.poll() : null;
		if (ofKey != null && ofKey.isEmpty()) {
			mine.remove(key);
		}
		if (mine.isEmpty()) {
			this.handles.remove();
		}
		if (latest == null) {
			throw new IllegalMonitorStateException("Lock '" + KeyText.of(key) + "' is not held by this thread");
		}
		return latest;
	}

}
