package io.distlock.redis.protocol;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.distlock.LockStoreException;
import io.distlock.support.KeyText;

/**
 * Grants no locks for a while after the server lost its data, because holders from before
 * may still believe in their locks. A key marks a server with its data and contains the
 * end of the quarantine; the first acquisition that misses the key begins one.
 * <p>
 * A failover delay is a quarantine that also begins after a change of master: its marker
 * contains the replication id of the master as well.
 */
public final class Quarantine {

	/** Why a Cluster is refused. */
	public static final String IMPOSSIBLE = "A Redis Cluster cannot have a quarantine: a script reaches one slot, and "
			+ "the key that marks a server with its data is in another one. Set the quarantine to 0, and let the "
			+ "masters keep their data (appendonly yes, appendfsync always)";

	/** Creates the failure of an acquisition during a quarantine. */
	public interface Failure {

		/**
		 * Creates the failure.
		 * @param key the lock
		 * @param message what happened, and what to do
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
	 * @param time its length, zero for none
	 * @param marker the Redis key that marks a server with its data
	 */
	public Quarantine(Duration time, String marker) {
		this(time, marker, false);
	}

	/**
	 * Creates a quarantine after a change of master, and after a loss of data.
	 * @param time its length, not zero
	 * @param marker the Redis key that says which master grants locks, without a hash tag
	 * @return the quarantine
	 */
	public static Quarantine afterFailover(Duration time, String marker) {
		return new Quarantine(time, marker, true);
	}

	/**
	 * Returns whether there is none.
	 * @return {@code true} if its length is zero
	 */
	public boolean isOff() {
		return this.time.isZero();
	}

	/**
	 * Returns whether it also begins after a change of master.
	 * @return {@code true} for a failover delay
	 */
	public boolean isAfterFailover() {
		return this.afterFailover;
	}

	/**
	 * Returns the Redis key that marks a server with its data.
	 * @return the key
	 */
	public String marker() {
		return this.marker;
	}

	/** Returns the keys that the acquisition of a lock works on. */
	byte[][] keys(byte[] redisKey) {
		return (isOff() || this.afterFailover) ? new byte[][] { redisKey }
				: new byte[][] { redisKey, ScriptArguments.encode(this.marker) };
	}

	/**
	 * Returns what the script of an acquisition takes: the length, for a failover delay
	 * also the marker. The marker is no declared key, because in a Cluster it is in
	 * another slot of the same master.
	 * @param tag hash tag that puts the marker on the master of the lock, or nothing
	 */
	String argument(String tag) {
		String millis = Long.toString(serverMillis());
		return this.afterFailover ? millis + ";" + this.marker + (tag.isEmpty() ? "" : "{" + tag + "}") : millis;
	}

	/**
	 * Returns the length as the scripts take it: the millisecond of the server's clock
	 * that has begun does not count.
	 * @return milliseconds
	 */
	public long serverMillis() {
		return this.time.toMillis() + 1;
	}

	/**
	 * Objects to a lease if the belief in a hold could outlive the quarantine.
	 * @param key the lock
	 * @param lease the lease
	 * @return the failure of the command, or empty if the lease is short enough
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

	/** Says that a server in quarantine refused a lock, and how to end it early. */
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
