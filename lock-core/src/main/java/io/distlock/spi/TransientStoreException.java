package io.distlock.spi;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The store could not answer now, but may when the same command is repeated: connection
 * lost, server loading, failover. The engine repeats until the command timeout, and then
 * throws an exception of this type; it throws the same where no answer came at all. A
 * {@link LockStoreException} of another type is a refusal that does not pass by itself,
 * such as a missing right. A refusal that may pass is a
 * {@link TransientRefusalException}.
 */
public class TransientStoreException extends LockStoreException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key the lock, or empty: the engine names the lock
	 * @param message a full sentence
	 * @param cause what the store's client reported, or {@code null}
	 */
	public TransientStoreException(String key, String message, @Nullable Throwable cause) {
		super(key, message, cause);
	}

}
