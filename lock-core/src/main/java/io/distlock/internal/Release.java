package io.distlock.internal;

import io.distlock.LockLostException;

/** What became of giving back one acquisition. */
sealed interface Release {

	/** Others of the same owner remain, or the lock went to the next thread here. */
	record NothingToSend() implements Release {
	}

	/**
	 * The lock is being released in the store.
	 *
	 * @param ending to wait for
	 */
	record Sent(Withdrawal ending) implements Release {
	}

	/**
	 * There was nothing left to release.
	 *
	 * @param loss what to throw
	 */
	record Lost(LockLostException loss) implements Release {
	}

}
