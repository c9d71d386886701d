package io.distlock.observe;

import java.util.List;
import java.util.function.Consumer;

import io.distlock.Holder;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several observers as one. One that throws hides nothing from the others. */
final class SeveralObservers implements LockObserver {

	private static final Logger logger = LoggerFactory.getLogger(SeveralObservers.class);

	private final LockObserver[] observers;

	SeveralObservers(List<LockObserver> observers) {
		this.observers = observers.toArray(LockObserver[]::new);
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(LockRequest request) {
		AcquisitionObserver all = null;
		for (LockObserver observer : this.observers) {
			AcquisitionObserver one = begin(observer, request);
			if (one != null) {
				all = (all != null) ? new Pair(all, one) : one;
			}
		}
		return all;
	}

	private static @Nullable AcquisitionObserver begin(LockObserver observer, LockRequest request) {
		try {
			return observer.acquiring(request);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.error("A lock observer failed", ex);
			return null;
		}
	}

	@Override
	public boolean observesCommands() {
		for (LockObserver observer : this.observers) {
			if (observer.observesCommands()) {
				return true;
			}
		}
		return false;
	}

	@Override
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		for (LockObserver observer : this.observers) {
			if (observer.observesCommands()) {
				safely(observer, (one) -> one.commandEnded(command, nanos, failure));
			}
		}
	}

	private static <T> void safely(T observer, Consumer<T> step) {
		try {
			step.accept(observer);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.error("A lock observer failed", ex);
		}
	}

	/**
	 * Two observers of one acquisition, of which the first may be a pair.
	 *
	 * @param first called first
	 * @param second called after it
	 */
	private record Pair(AcquisitionObserver first, AcquisitionObserver second) implements AcquisitionObserver {

		@Override
		public String trace() {
			String trace = this.first.trace();
			return trace.isEmpty() ? this.second.trace() : trace;
		}

		@Override
		public void waits(@Nullable Holder holder) {
			each((observer) -> observer.waits(holder));
		}

		@Override
		public void acquired(LockAcquired acquired) {
			each((observer) -> observer.acquired(acquired));
		}

		@Override
		public void refused(LockRefused refused) {
			each((observer) -> observer.refused(refused));
		}

		@Override
		public void released(LockReleased released) {
			each((observer) -> observer.released(released));
		}

		@Override
		public void lost(LockLoss loss) {
			each((observer) -> observer.lost(loss));
		}

		private void each(Consumer<AcquisitionObserver> step) {
			safely(this.first, step);
			safely(this.second, step);
		}

	}

}
