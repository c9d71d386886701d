package io.distlock.spring.local;

import java.util.concurrent.atomic.AtomicBoolean;

/** One entry into the gate of a key, left once. */
final class LocalPass {

	private final AtomicBoolean left = new AtomicBoolean();

	private final String key;

	private final Runnable leave;

	/**
	 * Creates an entry.
	 * @param key the key
	 * @param leave leaves its gate
	 */
	LocalPass(String key, Runnable leave) {
		this.key = key;
		this.leave = leave;
	}

	String key() {
		return this.key;
	}

	boolean isLeft() {
		return this.left.get();
	}

	/** Leaves the gate; does nothing if it was left already. */
	void leave() {
		if (this.left.compareAndSet(false, true)) {
			this.leave.run();
		}
	}

}
