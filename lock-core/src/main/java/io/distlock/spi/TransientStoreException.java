package io.distlock.spi;

import io.distlock.LockStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store could not answer now, but may answer when the same command is
 * repeated. Examples are a lost connection, a loading server and a failover. The engine
 * repeats the command until the command timeout, and then throws an exception of this
 * type. It also throws this type if no answer came at all. A {@link LockStoreException}
 * of another type is a refusal that stays until its cause is removed, such as a missing
 * right. A refusal that may pass is a {@link TransientRefusalException}.
 */
public class TransientStoreException extends LockStoreException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key the lock, or empty, because the engine names the lock
	 * @param message a full sentence
	 * @param cause what the store's client reported, or {@code null}
	 */
	public TransientStoreException(String key, String message, @Nullable Throwable cause) {
		super(key, message, cause);
	}

}
