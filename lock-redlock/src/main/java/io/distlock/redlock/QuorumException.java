package io.distlock.redlock;

import java.util.List;
import java.util.function.Predicate;

import io.distlock.LockStoreException;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;

/**
 * Thrown when too few nodes of a {@link RedlockStore} answered for a decision. States for
 * each node why it did not count. Whether the lock is free is unknown.
 */
public final class QuorumException extends TransientStoreException {

	private static final long serialVersionUID = 1L;

	private final transient List<NodeFailure> failures;

	QuorumException(String key, String message, List<NodeFailure> failures) {
		super(key, message, null);
		this.failures = List.copyOf(failures);
	}

	/**
	 * Returns why some nodes did not count.
	 * @return one failure for each such node; empty after deserialization
	 */
	public List<NodeFailure> failures() {
		return (this.failures != null) ? this.failures : List.of();
	}

	/**
	 * Creates the failure of a verb that found no majority.
	 * @param verb the verb, for the message
	 * @param key the lock
	 * @param nodes number of nodes
	 * @param failures the failures of nodes
	 * @return a {@link TransientStoreException} if repeating may help, because a majority
	 * of the nodes did not refuse for good; a {@link TransientRefusalException} if the
	 * nodes that did not refuse at all are too few for a majority
	 */
	static LockStoreException noMajority(String verb, String key, int nodes, List<NodeFailure> failures) {
		String list = String.join(", ", failures.stream().map(NodeFailure::toString).toList());
		String message = failures.isEmpty()
				? "No majority of the " + nodes + " nodes agreed in time (" + verb + " of lock '" + KeyText.of(key)
						+ "')"
				: failures.size() + " of " + nodes + " nodes did not count (" + verb + " of lock '" + KeyText.of(key)
						+ "'), and a majority must agree: " + list;
		QuorumException exception = new QuorumException(key, message, failures);
		// A slow node makes no difference if a majority has refused for good.
		if (isMajorityWithout(NodeFailure::isRefusal, nodes, failures)) {
			return exception;
		}
		return isMajorityWithout((failure) -> !failure.passing(), nodes, failures)
				? new TransientRefusalException(key, message, exception)
				: new LockStoreException(key, message, exception);
	}

	private static boolean isMajorityWithout(Predicate<NodeFailure> some, int nodes, List<NodeFailure> failures) {
		return nodes - failures.stream().filter(some).count() > nodes / 2;
	}

}
