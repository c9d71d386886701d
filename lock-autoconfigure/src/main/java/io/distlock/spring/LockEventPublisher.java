package io.distlock.spring;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.ClockJump;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;

/** Publishes what goes wrong with locks as events of the application context. */
public final class LockEventPublisher implements LockListener {

	private final ApplicationEventPublisher publisher;

	/**
	 * Creates a publisher.
	 * @param publisher where to publish
	 */
	public LockEventPublisher(ApplicationEventPublisher publisher) {
		this.publisher = publisher;
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
