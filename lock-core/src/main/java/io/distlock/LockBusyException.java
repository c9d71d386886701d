package io.distlock;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the lock was not acquired. Another owner held it for as long as the caller
 * was willing to wait, or the caller was refused at once because too many callers waited
 * already. The message names the holder, its place and the time of its acquisition, as
 * far as the store knows them.
 *
 * @serial exclude
 */
public class LockBusyException extends LockException {

	private static final long serialVersionUID = 1L;

	private final Duration waitTime;

	private final @Nullable Holder holder;

	private final boolean tooManyWaiters;

	/**
	 * Creates an exception.
	 * @param key the lock
	 * @param message a full sentence naming the lock
	 * @param waitTime how long the caller was willing to wait
	 * @param holder the holder, or {@code null} if not known
	 */
	public LockBusyException(String key, String message, Duration waitTime, @Nullable Holder holder) {
		this(key, message, waitTime, holder, false);
	}

	/**
	 * Creates an exception.
	 * @param key the lock
	 * @param message a full sentence naming the lock
	 * @param waitTime how long the caller was willing to wait
	 * @param holder the holder, or {@code null} if not known
	 * @param tooManyWaiters whether the caller was refused without a wait, because the
	 * allowed number of callers waited already
	 */
	public LockBusyException(String key, String message, Duration waitTime, @Nullable Holder holder,
			boolean tooManyWaiters) {
		super(key, message, null);
		this.waitTime = waitTime;
		this.holder = holder;
		this.tooManyWaiters = tooManyWaiters;
	}

	/**
	 * Returns how long the caller was willing to wait.
	 * @return the wait time; zero for a single attempt, or if too many callers waited
	 */
	public Duration waitTime() {
		return this.waitTime;
	}

	/**
	 * Returns the holder of the lock.
	 * @return the holder in the store's last answer, empty if not known
	 */
	public Optional<Holder> holder() {
		return Optional.ofNullable(this.holder);
	}

	/**
	 * Returns whether the caller was refused without a wait, because the allowed number
	 * of callers waited in this process already.
	 * @return {@code true} if max waiters was reached
	 */
	public boolean tooManyWaiters() {
		return this.tooManyWaiters;
	}

}
