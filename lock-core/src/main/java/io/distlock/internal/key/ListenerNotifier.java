package io.distlock.internal.key;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.ClockJump;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listener of a template of what goes wrong, in order and on one callback
 * thread, however much happens at once.
 */
final class ListenerNotifier {

	private static final Logger logger = LoggerFactory.getLogger(ListenerNotifier.class);

	private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private final LockListener listener;

	private final Callbacks callbacks;

	ListenerNotifier(LockListener listener, Callbacks callbacks) {
		this.listener = listener;
		this.callbacks = callbacks;
	}

	void lost(LockLoss loss) {
		notify(() -> this.listener.lost(loss));
	}

	/** The stack trace of the owner is taken by the notifying thread. */
	void heldTooLong(Hold hold) {
		notify(() -> {
			LockOverrun overrun = hold.overrun();
			logger.warn("{}", overrun.describe());
			this.listener.heldTooLong(overrun);
		});
	}

	void clockJumped(ClockJump jump) {
		notify(() -> {
			logger.warn("{}", jump.describe());
			this.listener.clockJumped(jump);
		});
	}

	private void notify(Runnable event) {
		this.events.add(event);
		if (this.pending.getAndIncrement() == 0) {
			this.callbacks.run(this::notifyAllPending);
		}
	}

	private void notifyAllPending() {
		do {
			Runnable event = this.events.poll();
			if (event != null) {
				Callbacks.runSafely(event);
			}
		}
		while (this.pending.decrementAndGet() > 0);
	}

}
