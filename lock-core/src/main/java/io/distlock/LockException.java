package io.distlock;

import org.jspecify.annotations.Nullable;

/**
 * Root of the exceptions of this library. The three that matter mean different things:
 * {@link LockBusyException} (another owner holds the lock), {@link LockLostException}
 * (this process held the lock and has lost it) and {@link LockStoreException} (the store
 * could not answer). A fenced resource throws {@link StaleFencingTokenException}.
 *
 * @serial exclude
 */
public class LockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String key;

	/**
	 * Creates an exception.
	 * @param key the lock, empty if the exception concerns no single lock
	 * @param message a full sentence naming the lock
	 * @param cause the cause, or {@code null}
	 */
	public LockException(String key, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.key = key;
	}

	/**
	 * Returns the lock that the exception concerns.
	 * @return its key, or the joined keys of several locks; empty if the exception
	 * concerns no single lock, for instance a mistake in a configuration
	 */
	public String key() {
		return this.key;
	}

}
