package io.distlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * Names one request for a lock, from the first attempt to its end. Numbers grow within an
 * {@link #instance()} and are never used twice, so a store can tell a late copy of a
 * command from a live one.
 *
 * @param engine id of the engine that sends the request and receives its messages,
 * characters {@code [A-Za-z0-9_-]}; no engine has the id of a {@link #kept()} hold
 * @param slot tells apart the engine's holds of one key: 0 for a lock, from 1 for
 * permits, because an engine may hold several of them, and {@link #WRITER} for a writer
 * that waits while readers of the engine hold the lock
 * @param number counted from 1
 */
public record RequestId(String engine, int slot, long number) {

	/**
	 * The slot of an exclusive request that an engine makes while it holds the lock
	 * shared. In slot 0 it would end the shared hold.
	 */
	public static final int WRITER = -1;

	private static final char SEPARATOR = '.';

	private static final String WRITER_TEXT = "w";

	/**
	 * Stands before and after the number of the released request, in place of an engine.
	 */
	private static final char KEPT = '~';

	/**
	 * Names a request for a lock.
	 * @param engine id of the engine
	 * @param number counted from 1
	 */
	public RequestId(String engine, long number) {
		this(engine, 0, number);
	}

	/**
	 * Reads the name of a request as stores write it.
	 * @param instance what {@link #instance()} returned
	 * @param number counted from 1
	 * @return the request
	 * @throws IllegalArgumentException if the slot is neither a positive number nor that
	 * of a writer
	 */
	public static RequestId parse(String instance, long number) {
		int separator = instance.indexOf(SEPARATOR);
		if (separator < 0) {
			return new RequestId(instance, number);
		}
		if (instance.substring(separator + 1).equals(WRITER_TEXT)) {
			return new RequestId(instance.substring(0, separator), WRITER, number);
		}
		int slot = Integer.parseInt(instance, separator + 1, instance.length(), 10);
		if (slot < 1) {
			throw new IllegalArgumentException("The slot of '" + instance + "' must be positive");
		}
		return new RequestId(instance.substring(0, separator), slot, number);
	}

	/**
	 * Returns the name of the participant that stores see. A newer request of an instance
	 * ends its older requests. Different instances wait for each other.
	 * @return the engine; for a permit it is followed by a dot and the slot, and for a
	 * writer that waits behind readers of the engine by {@code .w}
	 */
	public String instance() {
		if (this.slot == 0) {
			return this.engine;
		}
		return this.engine + SEPARATOR + ((this.slot == WRITER) ? WRITER_TEXT : String.valueOf(this.slot));
	}

	/**
	 * Returns the name under which a store keeps the hold of this request after its
	 * release. No engine has this name, so only a release by force affects the hold.
	 * @return a name that differs from those of all requests
	 */
	public RequestId kept() {
		return new RequestId("" + KEPT + this.number + KEPT + this.engine, this.slot, this.number);
	}

	/**
	 * Returns whether this id names a hold that a store keeps after its release.
	 * @return {@code true} if the hold has no owner
	 */
	public boolean isKept() {
		return this.engine.indexOf(KEPT) == 0;
	}

	/**
	 * Returns whether the request asks for a permit.
	 * @return {@code false} for a lock
	 */
	public boolean isPermit() {
		return this.slot > 0;
	}

	/**
	 * Returns whether stores take both requests for the same participant, so that the
	 * newer request ends the older one.
	 * @param other another request of the same engine
	 * @return {@code true} if they have the same slot
	 */
	public boolean isSameParticipant(RequestId other) {
		return this.slot == other.slot;
	}

	// Written by hand, as in Sharing, because the first release compares requests.
	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof RequestId request && request.number == this.number && request.slot == this.slot
				&& request.engine.equals(this.engine);
	}

	@Override
	public int hashCode() {
		return 31 * (31 * this.engine.hashCode() + this.slot) + Long.hashCode(this.number);
	}

}
