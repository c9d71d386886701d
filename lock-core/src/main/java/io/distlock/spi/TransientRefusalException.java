package io.distlock.spi;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store was reached, but refused the command for a reason that may pass.
 * Examples are an unknown error and a certificate that is not trusted. The engine repeats
 * the command as after any {@link TransientStoreException}, although the store can be
 * reached.
 */
public class TransientRefusalException extends TransientStoreException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param key the lock, or empty, because the engine names the lock
	 * @param message a full sentence
	 * @param cause what the store's client reported, or {@code null}
	 */
	public TransientRefusalException(String key, String message, @Nullable Throwable cause) {
		super(key, message, cause);
	}

}
