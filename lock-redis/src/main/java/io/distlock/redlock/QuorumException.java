package io.distlock.redlock;

import java.util.List;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientStoreException;
import io.distlock.text.KeyText;

/**
 * Too few nodes of a {@link RedlockStore} answered for a decision. Says of each node why
 * it was not counted; whether the lock is free is not known.
 */
public final class QuorumException extends TransientStoreException {

	private static final long serialVersionUID = 1L;

	private final transient List<NodeFailure> failures;

	QuorumException(String message, List<NodeFailure> failures) {
		super("", message, null);
		this.failures = List.copyOf(failures);
	}

	/**
	 * What was wrong with the nodes that are not counted.
	 * @return one for each of them
	 */
	public List<NodeFailure> failures() {
		return (this.failures != null) ? this.failures : List.of();
	}

	/**
	 * What to report when there was no majority.
	 * @param verb what was tried
	 * @param key the lock
	 * @param nodes how many nodes there are
	 * @param failures what was wrong with some
	 * @return an exception that says whether repeating may help
	 */
	static LockStoreException noMajority(String verb, String key, int nodes, List<NodeFailure> failures) {
		String list = String.join(", ", failures.stream().map(NodeFailure::toString).toList());
		String message = failures.isEmpty()
				? "No majority of the " + nodes + " nodes agreed in time (" + verb + " of lock '" + KeyText.of(key)
						+ "')"
				: failures.size() + " of " + nodes + " nodes cannot be counted on (" + verb + " of lock '"
						+ KeyText.of(key) + "'), and a majority must agree: " + list;
		QuorumException exception = new QuorumException(message, failures);
		boolean passing = failures.isEmpty() || failures.stream().anyMatch(NodeFailure::passing);
		return passing ? exception : new LockStoreException("", message, exception);
	}

}
