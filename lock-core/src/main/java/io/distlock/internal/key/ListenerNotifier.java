package io.distlock.internal.key;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.ClockJump;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockActivityListener;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the listener of a template, in order and on one callback thread, however much
 * happens at once. What goes wrong is never dropped; steps of healthy locks are, if the
 * listener cannot keep up.
 */
final class ListenerNotifier implements LockObserver {

	private static final Logger logger = LoggerFactory.getLogger(ListenerNotifier.class);

	private static final int MOST_PENDING = 10_000;

	private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

	private final AtomicInteger pending = new AtomicInteger();

	private final AtomicLong dropped = new AtomicLong();

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

	/** What observes healthy locks for the listener. */
	LockObserver activity() {
		return (this.listener instanceof LockActivityListener) ? this : LockObserver.NONE;
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(LockRequest request) {
		return (this.listener instanceof LockActivityListener active && active.isActive()) ? new Activity(active)
				: null;
	}

	/** Says how much was dropped once the listener has caught up. */
	private void notifyUnlessBehind(Runnable event) {
		if (this.pending.get() >= MOST_PENDING) {
			this.dropped.incrementAndGet();
			return;
		}
		notify(event);
	}

	private void reportDropped() {
		long lost = this.dropped.getAndSet(0);
		if (lost > 0) {
			logger.warn("A lock listener does not keep up: {} notification(s) of acquired, busy and released locks "
					+ "were dropped", lost);
		}
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
		reportDropped();
	}

	/** Passes on the steps of one acquisition. */
	private final class Activity implements AcquisitionObserver {

		private final LockActivityListener active;

		Activity(LockActivityListener active) {
			this.active = active;
		}

		@Override
		public void acquired(LockAcquired acquired) {
			if (acquired.how() != GrantKind.NESTED) {
				notifyUnlessBehind(() -> this.active.acquired(acquired));
			}
		}

		@Override
		public void refused(LockRefused refused) {
			notifyUnlessBehind(() -> this.active.busy(refused));
		}

		@Override
		public void released(LockReleased released) {
			notifyUnlessBehind(() -> this.active.released(released));
		}

	}

}
