package io.distlock.internal.waiting;

import java.util.function.BiConsumer;

import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.hold.Owner;

/** A waiter without a thread. The handle will own the hold. */
public final class AsyncWaiter extends Waiter {

	private final BiConsumer<Waiter, Outcome> listener;

	/**
	 * Creates a waiter.
	 * @param options what it wants
	 * @param now the monotonic clock
	 * @param listener receives the waiter and its outcome; must not block
	 */
	public AsyncWaiter(AcquireOptions options, long now, BiConsumer<Waiter, Outcome> listener) {
		super(Owner.handle(options), now);
		this.listener = listener;
	}

	@Override
	boolean needsTimeout() {
		return true;
	}

	@Override
	void wake() {
		Outcome outcome = outcome();
		if (outcome != null) {
			this.listener.accept(this, outcome);
		}
	}

}
