package io.distlock.autoconfigure.tracing;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

import io.distlock.Holder;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.autoconfigure.LockNames;
import io.distlock.autoconfigure.tracing.LockObservationContext.Stage;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockObserver;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;

/** Observes each acquisition of a lock and each hold. */
final class LockObservations implements LockObserver {

	private static final LockAcquireObservationConvention ACQUIRE = new DefaultLockAcquireObservationConvention();

	private static final LockHoldObservationConvention HOLD = new DefaultLockHoldObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable LockAcquireObservationConvention acquire;

	private final @Nullable LockHoldObservationConvention hold;

	private final @Nullable LockTraces traces;

	private final LockNames names;

	/**
	 * Creates an observer.
	 * @param registry gets the observations
	 * @param acquire the application's convention for acquisitions, if there is one
	 * @param hold the application's convention for holds, if there is one
	 * @param traces the spans behind the observations, if there is a tracer
	 * @param names limits the names of locks
	 */
	LockObservations(ObservationRegistry registry, @Nullable LockAcquireObservationConvention acquire,
			@Nullable LockHoldObservationConvention hold, @Nullable LockTraces traces, LockNames names) {
		this.names = names;
		this.registry = registry;
		this.acquire = acquire;
		this.hold = hold;
		this.traces = traces;
	}

	@Override
	public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
		return this.registry.isNoop() ? null : new Observed(store, request);
	}

	private Observation acquisition(LockObservationContext context) {
		return LockObservationDocumentation.ACQUIRE.observation(this.acquire, ACQUIRE, () -> context, this.registry);
	}

	private Observation hold(LockObservationContext context) {
		return LockObservationDocumentation.HOLD.observation(this.hold, HOLD, () -> context, this.registry);
	}

	/** Observes one acquisition and its hold. */
	private final class Observed implements AcquisitionObserver {

		private final LockObservationContext context;

		private final Observation acquisition;

		/** Action that ends the span of the wait. */
		private volatile @Nullable Runnable waiting;

		private volatile boolean over;

		private volatile @Nullable Observation hold;

		Observed(String store, LockRequest request) {
			this.context = new LockObservationContext(store, LockObservations.this.names.of(request.name()), request,
					Stage.ACQUIRE);
			this.acquisition = acquisition(this.context).start();
		}

		@Override
		public String trace() {
			LockTraces known = LockObservations.this.traces;
			return (known != null) ? known.of(this.context) : "";
		}

		@Override
		public synchronized void waits(@Nullable Holder holder) {
			this.context.heldBy(holder);
			LockTraces known = LockObservations.this.traces;
			if (known != null && holder != null && !this.over) {
				this.waiting = known.waitFor(this.context, holder);
			}
		}

		@Override
		public void acquired(LockAcquired acquired) {
			this.context.heldBy(acquired.before());
			this.context.ended(acquired.how(), acquired.fencingToken());
			endAcquisition();
			if (acquired.how() != GrantKind.NESTED) {
				LockObservationContext held = new LockObservationContext(this.context.store(), this.context.lockName(),
						this.context.request(), Stage.HOLD);
				Observation began = hold(held);
				if (this.context.getParentObservation() instanceof Observation parent) {
					began.parentObservation(parent);
				}
				this.hold = began.start();
			}
		}

		@Override
		public void refused(LockRefused refused) {
			this.context.heldBy(refused.holder());
			this.context.ended(refused.reason(), 0);
			if (refused.failure() != null) {
				this.acquisition.error(refused.failure());
			}
			endAcquisition();
		}

		private synchronized void endAcquisition() {
			this.over = true;
			Runnable end = this.waiting;
			if (end != null) {
				end.run();
			}
			this.acquisition.stop();
		}

		@Override
		public void released(LockReleased released) {
			Observation ending = this.hold;
			if (ending != null && ending.getContext() instanceof LockObservationContext held) {
				this.hold = null;
				held.released(released.fencingToken());
				ending.stop();
			}
		}

		@Override
		public void lost(LockLoss loss) {
			Observation ending = this.hold;
			if (ending != null && ending.getContext() instanceof LockObservationContext held) {
				this.hold = null;
				held.ended(loss.reason(), loss.fencingToken());
				ending.event(Observation.Event.of("lock.lost"));
				ending.stop();
			}
		}

	}

}
