package io.distlock.spring.event;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.ClockJump;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockActivityListener;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;

/**
 * Publishes what goes wrong with locks as events of the application context, and, if
 * wanted, what happens to healthy ones.
 */
public final class LockEventPublisher implements LockActivityListener {

	private final ApplicationEventPublisher publisher;

	private final boolean activity;

	/**
	 * Creates a publisher of what goes wrong.
	 * @param publisher where to publish
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher) {
		this(publisher, false);
	}

	/**
	 * Creates a publisher.
	 * @param publisher where to publish
	 * @param activity whether to publish {@link LockAcquiredEvent}, {@link LockBusyEvent}
	 * and {@link LockReleasedEvent} too, which are many
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher, boolean activity) {
		this.publisher = publisher;
		this.activity = activity;
	}

	@Override
	public boolean isActive() {
		return this.activity;
	}

	@Override
	public void acquired(LockAcquired acquired) {
		publish(new LockAcquiredEvent(acquired));
	}

	@Override
	public void busy(LockRefused refused) {
		publish(new LockBusyEvent(refused));
	}

	@Override
	public void released(LockReleased released) {
		publish(new LockReleasedEvent(released));
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

	/** A hold may outlive its context, which takes no events once closed. */
	private void publish(Object event) {
		if (!(this.publisher instanceof ConfigurableApplicationContext context) || context.isActive()) {
			this.publisher.publishEvent(event);
		}
	}

}
