package io.distlock.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.distlock.LockStoreException;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.Replies;
import io.distlock.text.KeyText;

/**
 * No locks for a while after the server lost its data: those who held one may still
 * believe in it. A key marks that the server has its data; it says when the quarantine
 * ends, and whoever misses it first begins one.
 */
public final class Quarantine {

	/** No lock has a key like this: after a percent sign those have a number. */
	private static final String NAME = "%boot";

	private final Duration time;

	private final String marker;

	public Quarantine(RedisLockStoreSettings settings) {
		this.time = settings.quarantine();
		this.marker = settings.prefix() + NAME;
	}

	public boolean isOff() {
		return this.time.isZero();
	}

	public String marker() {
		return this.marker;
	}

	/** The keys that the acquisition of a lock works on. */
	List<String> keys(String redisKey) {
		return isOff() ? List.of(redisKey) : List.of(redisKey, this.marker);
	}

	long millis() {
		return this.time.toMillis();
	}

	/**
	 * What a server is told: the millisecond of its clock that has begun does not count.
	 */
	long serverMillis() {
		return millis() + 1;
	}

	/** Throws if the belief in a hold could outlive the quarantine. */
	public void check(String key, Duration lease) {
		if (!isOff() && lease.compareTo(this.time) > 0) {
			throw new LockStoreException("",
					"Lock '" + KeyText.of(key) + "' was asked for with a lease of " + lease.toMillis()
							+ " ms, longer than the quarantine of " + millis()
							+ " ms, after which a Redis server that lost "
							+ "its data would grant it to somebody else: use a shorter lease, or raise the quarantine",
					null);
		}
	}

	/** What to tell somebody who wants a lock while none is granted. */
	QuarantineException refusal(String key, List<Object> reply) {
		long until = Replies.quarantinedUntil(reply);
		Instant end = Instant.ofEpochMilli(until);
		return new QuarantineException(
				"Lock '" + KeyText.of(key) + "' was not acquired: Redis lost its data, or is new (it had no "
						+ this.marker
						+ "). Holders from before may still believe in their locks, so none is granted until " + end
						+ ", which is " + (until - Replies.storeTime(LockScript.ACQUIRE, reply))
						+ " ms from now. If no such holder is left, end this early with: SET " + this.marker + " 0",
				end);
	}

	/** Throws if the servers cannot have a quarantine. */
	void requirePossible(boolean cluster) {
		if (!isOff() && cluster) {
			throw new LockStoreException("", IMPOSSIBLE, null);
		}
	}

	static final String IMPOSSIBLE = "A Redis Cluster cannot have a quarantine: a script reaches one slot, and the key "
			+ "that marks a server with its data is in another one. Set the quarantine to 0, and let the masters "
			+ "keep their data (appendonly yes, appendfsync always)";

}
