package io.distlock;

import org.jspecify.annotations.Nullable;

/**
 * Root of everything the lock throws. The three leaves that matter are told apart on
 * purpose: {@link LockBusyException} (somebody else holds it), {@link LockLostException}
 * (it was ours and is not any more) and {@link LockStoreException} (the store could not
 * answer). A resource that is fenced throws {@link StaleFencingTokenException}.
 */
public class LockException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param message a full sentence naming the lock
	 * @param cause what led to it, or {@code null}
	 */
	public LockException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
