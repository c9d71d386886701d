package io.distlock.autoconfigure;

import java.util.List;
import java.util.function.Consumer;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.ClockJump;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;

/**
 * All listeners of the application. Looked up once all singletons are there, as they may
 * need the template themselves; not later, as a hold may outlive its context.
 */
final class LockListeners implements LockListener, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LockListeners.class);

	private final ObjectProvider<LockListener> listeners;

	private volatile List<LockListener> known = List.of();

	LockListeners(ObjectProvider<LockListener> listeners) {
		this.listeners = listeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.known = this.listeners.orderedStream().filter((listener) -> listener != this).toList();
	}

	@Override
	public void lost(LockLoss hold) {
		notifyEach((listener) -> listener.lost(hold));
	}

	@Override
	public void heldTooLong(LockOverrun hold) {
		notifyEach((listener) -> listener.heldTooLong(hold));
	}

	@Override
	public void clockJumped(ClockJump jump) {
		notifyEach((listener) -> listener.clockJumped(jump));
	}

	private void notifyEach(Consumer<LockListener> event) {
		this.known.forEach((listener) -> {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.error("A lock listener failed", ex);
			}
		});
	}

}
