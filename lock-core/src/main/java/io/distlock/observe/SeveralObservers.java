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
		catch (Throwable ex) {
			logger.error("A lock observer failed", ex);
			return null;
		}
	}

	@Override
	public void notTaken(LockNotTaken lock) {
		for (LockObserver observer : this.observers) {
			safely(observer, (one) -> one.notTaken(lock));
		}
	}

	@Override
	public boolean observesCommands() {
		for (LockObserver observer : this.observers) {
			if (observesCommands(observer)) {
				return true;
			}
		}
		return false;
	}

	private static boolean observesCommands(LockObserver observer) {
		try {
			return observer.observesCommands();
		}
		catch (Throwable ex) {
			logger.error("A lock observer failed", ex);
			return false;
		}
	}

	@Override
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		for (LockObserver observer : this.observers) {
			if (observesCommands(observer)) {
				safely(observer, (one) -> one.commandEnded(command, nanos, failure));
			}
		}
	}

	private static <T> void safely(T observer, Consumer<T> step) {
		try {
			step.accept(observer);
		}
		catch (Throwable ex) {
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
			String trace = traceOf(this.first);
			return trace.isEmpty() ? traceOf(this.second) : trace;
		}

		private static String traceOf(AcquisitionObserver observer) {
			try {
				return observer.trace();
			}
			catch (Throwable ex) {
				logger.error("A lock observer failed", ex);
				return "";
			}
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

		@Override
		public void lostBeforeRelease(LockLoss loss) {
			each((observer) -> observer.lostBeforeRelease(loss));
		}

		private void each(Consumer<AcquisitionObserver> step) {
			safely(this.first, step);
			safely(this.second, step);
		}

	}

}
