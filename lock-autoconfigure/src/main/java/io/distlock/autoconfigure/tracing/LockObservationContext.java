package io.distlock.autoconfigure.tracing;

import java.util.Locale;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import io.distlock.Holder;
import io.distlock.LockRequest;

/**
 * Provides a {@link LockObservationConvention} with the data of an acquisition or a hold.
 * Outcome and fencing token are set at the end.
 */
public final class LockObservationContext extends Observation.Context {

	private final String store;

	private final String lockName;

	private final LockRequest request;

	private final Stage stage;

	private volatile String outcome = "";

	private volatile long fencingToken;

	private volatile @Nullable Holder holder;

	/**
	 * Creates a context.
	 * @param store the id of the store
	 * @param lockName the name of the lock for values of low cardinality
	 * @param request the request
	 * @param stage the observed stage
	 */
	LockObservationContext(String store, String lockName, LockRequest request, Stage stage) {
		this.store = store;
		this.lockName = lockName;
		this.request = request;
		this.stage = stage;
	}

	/**
	 * Returns the id of the store.
	 * @return {@code default} for the store without an id
	 */
	public String store() {
		return this.store;
	}

	/**
	 * Returns the request.
	 * @return the request, with one key
	 */
	public LockRequest request() {
		return this.request;
	}

	/**
	 * Returns the name of the lock for values of low cardinality.
	 * @return the name, {@code unnamed} without one, {@code other} beyond 200 names
	 */
	public String lockName() {
		return this.lockName;
	}

	/**
	 * Returns the observed stage.
	 * @return the acquisition, or the hold that follows it
	 */
	public Stage stage() {
		return this.stage;
	}

	/**
	 * Returns the outcome: how the lock was granted, why it was refused,
	 * {@code released}, or the reason of a loss.
	 * @return one of a few words, empty before the end
	 */
	public String outcome() {
		return this.outcome;
	}

	/**
	 * Returns the fencing token.
	 * @return the token, 0 if there is none
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

	/**
	 * Returns the holder of the lock while the caller waited.
	 * @return the holder, or {@code null} if the caller did not wait or the holder is
	 * unknown
	 */
	public @Nullable Holder holder() {
		return this.holder;
	}

	void ended(Enum<?> how, long token) {
		this.outcome = how.name().toLowerCase(Locale.ROOT).replace('_', '-');
		this.fencingToken = token;
	}

	void released(long token) {
		this.outcome = "released";
		this.fencingToken = token;
	}

	void heldBy(@Nullable Holder other) {
		this.holder = (other != null) ? other : this.holder;
	}

	/** The observed stage. */
	public enum Stage {

		/** From the request to the grant or refusal. */
		ACQUIRE,

		/** From the grant to the release or loss. */
		HOLD

	}

}
