package io.distlock.internal.key;

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

	private final LockListener listener;

	private final Callbacks.InOrder events;

	ListenerNotifier(LockListener listener, Callbacks callbacks) {
		this.listener = listener;
		this.events = callbacks.inOrder(ListenerNotifier::reportDropped);
	}

	void lost(LockLoss loss) {
		if (this.listener != LockListener.NONE) {
			this.events.execute(() -> this.listener.lost(loss));
		}
	}

	/** The stack trace of the owner is taken by the notifying thread. */
	void heldTooLong(Hold hold) {
		this.events.execute(() -> {
			LockOverrun overrun = hold.overrun();
			logger.warn("{}", overrun.describe());
			this.listener.heldTooLong(overrun);
		});
	}

	void clockJumped(ClockJump jump) {
		this.events.execute(() -> {
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

	private static void reportDropped(int dropped) {
		logger.warn("A lock listener does not keep up: {} notification(s) of acquired, busy and released locks "
				+ "were dropped", dropped);
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
				ListenerNotifier.this.events.executeUnlessBehind(() -> this.active.acquired(acquired));
			}
		}

		@Override
		public void refused(LockRefused refused) {
			ListenerNotifier.this.events.executeUnlessBehind(() -> this.active.busy(refused));
		}

		@Override
		public void released(LockReleased released) {
			ListenerNotifier.this.events.executeUnlessBehind(() -> this.active.released(released));
		}

	}

}
