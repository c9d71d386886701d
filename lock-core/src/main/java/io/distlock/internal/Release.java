package io.distlock.internal;

import io.distlock.LockLostException;

/** What became of giving back one acquisition. */
sealed interface Release {

	/** Others of the same owner remain, or the lock went to the next waiter here. */
	record NothingToSend() implements Release {
	}

	/** The lock is being released in the store; the ending will be told. */
	record Sent() implements Release {
	}

	/**
	 * There was nothing left to release.
	 *
	 * @param loss what to throw
	 */
	record Lost(LockLostException loss) implements Release {
	}

}
