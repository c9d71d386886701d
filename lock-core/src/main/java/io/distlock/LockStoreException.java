package io.distlock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store could not answer within the command timeout, or refused the
 * command. It is unknown whether the lock is free. The lock is never reported as busy,
 * and no body runs.
 */
public class LockStoreException extends LockException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key the lock; a store may leave it empty, since the engine names the lock
	 * @param message a full sentence naming the lock and the store
	 * @param cause what the store's client reported, or {@code null} for a missing answer
	 */
	public LockStoreException(String key, String message, @Nullable Throwable cause) {
		super(key, message, cause);
	}

	/**
	 * Creates the exception for a command to a store that has not been started, or has
	 * been stopped.
	 * @param store the store, such as {@code Redis lock store}
	 * @return the exception, without a key
	 */
	public static LockStoreException notRunning(String store) {
		return new LockStoreException("", "The " + store + " is not running", null);
	}

}
