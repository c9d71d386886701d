package io.distlock.observe;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.distlock.ClockJump;
import io.distlock.Holder;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Several observers that act as one and never throw. If one of them throws, the others
 * are still notified.
 */
final class SeveralObservers implements LockObserver {

	private static final Logger logger = LoggerFactory.getLogger(SeveralObservers.class);

	private final LockObserver[] observers;

	SeveralObservers(List<LockObserver> observers) {
		this.observers = observers.toArray(LockObserver[]::new);
	}

	Stream<LockObserver> stream() {
		return Stream.of(this.observers);
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		AcquisitionObserver all = null;
		for (LockObserver observer : this.observers) {
			AcquisitionObserver one = begin(observer, store, request);
			if (one != null) {
				all = (all != null) ? new Pair(all, one) : one;
			}
		}
		return all;
	}

	private static @Nullable AcquisitionObserver begin(LockObserver observer, String store, LockRequest request) {
		try {
			return observer.acquiring(store, request);
		}
		catch (Throwable ex) {
			failed(observer, ex);
			return null;
		}
	}

	@Override
	public void lost(LockLoss loss) {
		each((observer) -> observer.lost(loss));
	}

	@Override
	public void heldTooLong(LockOverrun overrun) {
		each((observer) -> observer.heldTooLong(overrun));
	}

	@Override
	public void clockJumped(ClockJump jump) {
		each((observer) -> observer.clockJumped(jump));
	}

	@Override
	public void notTaken(LockNotTaken lock) {
		each((observer) -> observer.notTaken(lock));
	}

	@Override
	public boolean observesCommands() {
		for (LockObserver observer : this.observers) {
			try {
				if (observer.observesCommands()) {
					return true;
				}
			}
			catch (Throwable ex) {
				failed(observer, ex);
			}
		}
		return false;
	}

	@Override
	public void commandEnded(String store, StoreCommand command, long nanos, @Nullable Throwable failure) {
		for (LockObserver observer : this.observers) {
			try {
				if (observer.observesCommands()) {
					observer.commandEnded(store, command, nanos, failure);
				}
			}
			catch (Throwable ex) {
				failed(observer, ex);
			}
		}
	}

	private void each(Consumer<LockObserver> step) {
		for (LockObserver observer : this.observers) {
			safely(observer, step);
		}
	}

	private static <T> void safely(T observer, Consumer<? super T> step) {
		try {
			step.accept(observer);
		}
		catch (Throwable ex) {
			failed(observer, ex);
		}
	}

	private static void failed(Object observer, Throwable failure) {
		logger.error("Lock observer {} failed", observer.getClass().getName(), failure);
	}

	/**
	 * Two observers of one acquisition. The first of them may be a pair.
	 *
	 * @param first called first
	 * @param second called after the first
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
				failed(observer, ex);
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
