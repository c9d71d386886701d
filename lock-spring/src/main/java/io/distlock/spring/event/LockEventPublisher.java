package io.distlock.spring.event;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.ClockJump;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;

/**
 * Publishes faults of locks as events of the application context. On request it also
 * publishes the activity of healthy locks.
 */
public final class LockEventPublisher implements LockObserver {

	private final ApplicationEventPublisher publisher;

	private final @Nullable Activity activity;

	/**
	 * Creates a publisher of faults.
	 * @param publisher where to publish
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher) {
		this(publisher, false);
	}

	/**
	 * Creates a publisher.
	 * @param publisher where to publish
	 * @param activity whether to publish {@link LockAcquiredEvent}, {@link LockBusyEvent}
	 * and {@link LockReleasedEvent} too; their number is high
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher, boolean activity) {
		this.publisher = publisher;
		this.activity = activity ? new Activity() : null;
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		return this.activity;
	}

	@Override
	public void lost(LockLoss loss) {
		publish(new LockLostEvent(loss));
	}

	@Override
	public void heldTooLong(LockOverrun overrun) {
		publish(new LockHeldTooLongEvent(overrun));
	}

	@Override
	public void clockJumped(ClockJump jump) {
		publish(new LockClockJumpEvent(jump));
	}

	/**
	 * Publishes an event while the context is open. A hold may outlive its context, and a
	 * closed context accepts no events.
	 */
	private void publish(Object event) {
		if (!(this.publisher instanceof ConfigurableApplicationContext context) || context.isActive()) {
			this.publisher.publishEvent(event);
		}
	}

	/** Publishes the activity of healthy locks. */
	private final class Activity implements AcquisitionObserver {

		@Override
		public void acquired(LockAcquired acquired) {
			if (acquired.how() != GrantKind.NESTED) {
				publish(new LockAcquiredEvent(acquired));
			}
		}

		@Override
		public void refused(LockRefused refused) {
			publish(new LockBusyEvent(refused));
		}

		@Override
		public void released(LockReleased released) {
			publish(new LockReleasedEvent(released));
		}

	}

}
