package io.distlock.redis.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.distlock.LockStoreException;
import io.distlock.support.KeyText;

/**
 * Grants no locks for a while after the server lost its data, because earlier holders may
 * still believe in their locks. The marker, a key, shows that a server has its data and
 * contains the end of the quarantine. The first acquisition that does not find the key
 * begins a quarantine.
 * <p>
 * A failover delay is a quarantine that also begins after a change of master. Its marker
 * also contains the replication id of the master.
 */
public final class Quarantine {

	/** Says why a Cluster cannot have a quarantine. */
	public static final String IMPOSSIBLE = "A Redis Cluster cannot have a quarantine: a script reaches one slot, and "
			+ "the key that marks a server with its data is in another one. Set the quarantine to 0, and let the "
			+ "masters keep their data (appendonly yes, appendfsync always)";

	/** Creates the failure of an acquisition during a quarantine. */
	public interface Failure {

		/**
		 * Creates the failure.
		 * @param key the lock
		 * @param message what happened, and what the user can do
		 * @param until when the quarantine ends, by the server's clock
		 * @return the failure
		 */
		LockStoreException create(String key, String message, Instant until);

	}

	private final Duration time;

	private final String marker;

	private final boolean afterFailover;

	private Quarantine(Duration time, String marker, boolean afterFailover) {
		this.time = time;
		this.marker = marker;
		this.afterFailover = afterFailover;
	}

	/**
	 * Creates a quarantine after a loss of data.
	 * @param time the length of the quarantine; zero for none
	 * @param marker the Redis key that shows that a server has its data
	 */
	public Quarantine(Duration time, String marker) {
		this(time, marker, false);
	}

	/**
	 * Creates a quarantine after a change of master or a loss of data.
	 * @param time the length of the quarantine, not zero
	 * @param marker the Redis key that names the master that grants locks, without a hash
	 * tag
	 * @return the quarantine
	 */
	public static Quarantine afterFailover(Duration time, String marker) {
		return new Quarantine(time, marker, true);
	}

	/**
	 * Returns whether there is no quarantine.
	 * @return {@code true} if its length is zero
	 */
	public boolean isOff() {
		return this.time.isZero();
	}

	/**
	 * Returns whether a quarantine also begins after a change of master.
	 * @return {@code true} for a failover delay
	 */
	public boolean isAfterFailover() {
		return this.afterFailover;
	}

	/**
	 * Returns the Redis key that shows that a server has its data.
	 * @return the key
	 */
	public String marker() {
		return this.marker;
	}

	/** Returns the keys that an acquisition of a lock uses. */
	byte[][] keys(byte[] redisKey) {
		return (isOff() || this.afterFailover) ? new byte[][] { redisKey }
				: new byte[][] { redisKey, ScriptArguments.encode(this.marker) };
	}

	/**
	 * Returns the argument of an acquisition: the length of the quarantine and, for a
	 * failover delay, the marker. The marker is not a declared key, because in a Cluster
	 * it is in another slot of the same master.
	 * @param tag the hash tag that puts the marker on the master of the lock; empty if
	 * none is needed
	 */
	String argument(String tag) {
		String millis = Long.toString(serverMillis());
		return this.afterFailover ? millis + ";" + this.marker + (tag.isEmpty() ? "" : "{" + tag + "}") : millis;
	}

	/**
	 * Returns the length for the scripts: one millisecond more, because the current
	 * millisecond of the server's clock does not count.
	 * @return milliseconds
	 */
	public long serverMillis() {
		return this.time.toMillis() + 1;
	}

	/**
	 * Checks a lease against the quarantine: a holder must not believe in its hold for
	 * longer than the quarantine.
	 * @param key the lock
	 * @param lease the lease
	 * @return the failure of the command; empty if the lease is short enough
	 */
	public Optional<LockStoreException> objection(String key, Duration lease) {
		if (isOff() || lease.compareTo(this.time) <= 0) {
			return Optional.empty();
		}
		String what = this.afterFailover ? "failover delay" : "quarantine";
		String server = this.afterFailover ? "new Redis master" : "Redis server that lost its data";
		return Optional.of(new LockStoreException(key,
				"Lock '" + KeyText.of(key) + "' was requested with a lease of " + lease.toMillis()
						+ " ms, longer than the " + what + " of " + this.time.toMillis() + " ms, after which a "
						+ server + " would grant the lock again: use a shorter lease, or a longer " + what,
				null));
	}

	/**
	 * Returns the message for a refused lock, which also says how to end the quarantine.
	 */
	String refusal(String key, Instant until, long remainingMillis) {
		if (this.afterFailover) {
			return "Lock '" + KeyText.of(key)
					+ "' was not acquired: another Redis server became the master, or Redis was "
					+ "restarted or is new. Holders from before may still believe in their locks, so none is granted until "
					+ until + ", which is " + remainingMillis
					+ " ms from now. If no such holder is left, end the failover delay early by setting " + this.marker
					+ " (in a Cluster the key that begins so on each master) to 0";
		}
		return "Lock '" + KeyText.of(key) + "' was not acquired: Redis lost its data, or is new (it had no "
				+ this.marker + "). Holders from before may still believe in their locks, so none is granted until "
				+ until + ", which is " + remainingMillis
				+ " ms from now. If no such holder is left, end the quarantine early with: SET " + this.marker + " 0";
	}

}
