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
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockActivityListener;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;

/**
 * All listeners of the application. Looked up once all singletons are there, as they may
 * need the template themselves; not later, as a hold may outlive its context.
 */
final class LockListeners implements LockActivityListener, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LockListeners.class);

	private final ObjectProvider<LockListener> listeners;

	private volatile List<LockListener> known = List.of();

	private volatile List<LockActivityListener> active = List.of();

	LockListeners(ObjectProvider<LockListener> listeners) {
		this.listeners = listeners;
	}

	@Override
	public void afterSingletonsInstantiated() {
		this.known = this.listeners.orderedStream().filter((listener) -> listener != this).toList();
		this.active = this.known.stream()
			.filter(LockActivityListener.class::isInstance)
			.map(LockActivityListener.class::cast)
			.toList();
	}

	@Override
	public boolean isActive() {
		for (LockActivityListener listener : this.active) {
			if (isActive(listener)) {
				return true;
			}
		}
		return false;
	}

	/** Asked each time: an application may switch its listener on and off. */
	private static boolean isActive(LockActivityListener listener) {
		try {
			return listener.isActive();
		}
		catch (Throwable ex) {
			logger.error("A lock listener failed", ex);
			return false;
		}
	}

	private void notifyActive(Consumer<LockActivityListener> event) {
		notifyEach(this.active, (listener) -> {
			if (isActive(listener)) {
				event.accept(listener);
			}
		});
	}

	@Override
	public void acquired(LockAcquired acquired) {
		notifyActive((listener) -> listener.acquired(acquired));
	}

	@Override
	public void busy(LockRefused refused) {
		notifyActive((listener) -> listener.busy(refused));
	}

	@Override
	public void released(LockReleased released) {
		notifyActive((listener) -> listener.released(released));
	}

	@Override
	public void lost(LockLoss hold) {
		notifyEach(this.known, (listener) -> listener.lost(hold));
	}

	@Override
	public void heldTooLong(LockOverrun hold) {
		notifyEach(this.known, (listener) -> listener.heldTooLong(hold));
	}

	@Override
	public void clockJumped(ClockJump jump) {
		notifyEach(this.known, (listener) -> listener.clockJumped(jump));
	}

	/**
	 * Returns what is notified of the locks of one store.
	 * @param store its id
	 * @return the listener
	 */
	LockActivityListener of(String store) {
		return new OfStore(this, store);
	}

	private static <T extends LockListener> void notifyEach(List<T> listeners, Consumer<T> event) {
		listeners.forEach((listener) -> {
			try {
				event.accept(listener);
			}
			catch (Throwable ex) {
				logger.error("A lock listener failed", ex);
			}
		});
	}

	/**
	 * The listeners of one store.
	 *
	 * @param all notifies all listeners
	 * @param store the id of the store
	 */
	private record OfStore(LockListeners all, String store) implements LockActivityListener {

		@Override
		public boolean isActive() {
			return this.all.isActive();
		}

		@Override
		public void acquired(LockAcquired acquired) {
			this.all.acquired(acquired);
		}

		@Override
		public void busy(LockRefused refused) {
			this.all.busy(refused);
		}

		@Override
		public void released(LockReleased released) {
			this.all.released(released);
		}

		@Override
		public void lost(LockLoss hold) {
			notifyEach(this.all.known, (listener) -> listening(listener).lost(hold));
		}

		@Override
		public void heldTooLong(LockOverrun hold) {
			notifyEach(this.all.known, (listener) -> listening(listener).heldTooLong(hold));
		}

		@Override
		public void clockJumped(ClockJump jump) {
			notifyEach(this.all.known, (listener) -> listening(listener).clockJumped(jump));
		}

		private LockListener listening(LockListener listener) {
			return (listener instanceof PerStore each) ? each.listener(this.store) : listener;
		}

	}

}
