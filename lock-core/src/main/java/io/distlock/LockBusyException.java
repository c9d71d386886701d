package io.distlock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import io.distlock.text.DurationText;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else held the lock for as long as the caller was willing to wait, or so many
 * waited already that the caller was turned away at once. The message says who, where and
 * since when, as far as the store knows it.
 */
public class LockBusyException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String key;

	private final Duration waited;

	private final transient @Nullable Holder holder;

	/**
	 * Creates an exception.
	 * @param key the lock
	 * @param waited how long the caller was willing to wait
	 * @param holder who holds it, or {@code null} when not known
	 * @param now the moment of the refusal
	 */
	public LockBusyException(String key, Duration waited, @Nullable Holder holder, Instant now) {
		this(key, waited, "not acquired within " + DurationText.of(waited), holder, now);
	}

	private LockBusyException(String key, Duration waited, String reason, @Nullable Holder holder, Instant now) {
		super("Lock '" + KeyText.of(key) + "' is busy: " + reason + "; "
				+ ((holder != null) ? "held by " + holder.describe(now) : "its holder is not known"), null);
		this.key = key;
		this.waited = waited;
		this.holder = holder;
	}

	/**
	 * For a caller that was not let in line.
	 * @param key the lock
	 * @param maxWaiters how many may wait in one process
	 * @param holder who holds it, or {@code null} when not known
	 * @param now the moment of the refusal
	 * @return the exception
	 */
	public static LockBusyException tooManyWaiters(String key, int maxWaiters, @Nullable Holder holder, Instant now) {
		return new LockBusyException(key, Duration.ZERO,
				"not waited for, as " + ((maxWaiters == 1) ? "1 caller waits" : maxWaiters + " callers wait")
						+ " in this process already (max waiters)",
				holder, now);
	}

	/**
	 * For a caller whose wait was cut short.
	 * @param key the lock
	 * @param waited how long the caller was allowed to wait
	 * @param limit what cut it short
	 * @param holder who holds it, or {@code null} when not known
	 * @param now the moment of the refusal
	 * @return the exception
	 */
	public static LockBusyException limited(String key, Duration waited, String limit, @Nullable Holder holder,
			Instant now) {
		return new LockBusyException(key, waited,
				"not acquired within " + DurationText.of(waited) + ", which is " + limit, holder, now);
	}

	/**
	 * The lock that was refused.
	 * @return its key
	 */
	public String key() {
		return this.key;
	}

	/**
	 * How long the caller was willing to wait.
	 * @return the wait time, zero for a single attempt or for who was turned away
	 */
	public Duration waited() {
		return this.waited;
	}

	/**
	 * Who holds the lock.
	 * @return the holder at the last look, empty when not known
	 */
	public Optional<Holder> holder() {
		return Optional.ofNullable(this.holder);
	}

}
