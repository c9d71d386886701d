package io.distlock.internal.observe;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import io.distlock.Holder;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.GrantKind;
import io.distlock.observe.LockAcquired;
import io.distlock.observe.LockRefused;
import io.distlock.observe.LockReleased;
import io.distlock.observe.RefusalReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One acquisition that is observed. Under the monitor of the key it collects what is
 * known. Outside the monitor it notifies its observer of each step, once and in order,
 * even if the observer throws.
 * <p>
 * Invariant: an observer that blocks delays no command. An observer runs either on the
 * thread of the caller, after the commands of that thread, or on a thread that sends no
 * commands.
 */
final class ReportedAcquisition implements ObservedAcquisition {

	private static final Logger logger = LoggerFactory.getLogger(ReportedAcquisition.class);

	/** Saves one object for each acquisition compared with an {@code AtomicReference}. */
	private static final AtomicReferenceFieldUpdater<ReportedAcquisition, Stage> STAGE = AtomicReferenceFieldUpdater
		.newUpdater(ReportedAcquisition.class, Stage.class, "stage");

	private volatile Stage stage = Stage.REQUESTED;

	private final LockRequest request;

	private final AcquisitionObserver observer;

	private final Observers reports;

	private final String trace;

	private GrantKind how = GrantKind.FREE;

	private boolean waits;

	private boolean waitedHere;

	private @Nullable Holder before;

	private volatile @Nullable LockLoss early;

	private volatile @Nullable LockLoss foundLater;

	/**
	 * Begins to observe an acquisition.
	 * @param request what is requested
	 * @param observer is notified
	 * @param reports notifies it off the threads of the engine
	 */
	ReportedAcquisition(LockRequest request, AcquisitionObserver observer, Observers reports) {
		this.request = request;
		this.observer = observer;
		this.reports = reports;
		this.trace = traceOf(observer);
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
	public String trace() {
		return this.trace;
	}

	@Override
	public @Nullable Runnable waitsFor(@Nullable Holder holder) {
		if (holder != null) {
			this.before = holder;
		}
		if (this.waits) {
			return null;
		}
		this.waits = true;
		return () -> safely(() -> this.observer.waits(holder));
	}

	@Override
	public void reportLater(Runnable report) {
		this.reports.reportUnlessBehind(report);
	}

	@Override
	public void waitedHere() {
		this.waitedHere = true;
	}

	@Override
	public void grantedBy(GrantKind how) {
		this.how = (how == GrantKind.FREE && this.waitedHere) ? GrantKind.WAITED : how;
	}

	@Override
	public void acquired(long fencingToken, boolean nested, long waitedNanos) {
		GrantKind kind = nested ? GrantKind.NESTED : this.how;
		try {
			this.observer.acquired(new LockAcquired(this.reports.store(), this.request.name(), this.request.key(),
					this.request.caller(), fencingToken, Duration.ofNanos(waitedNanos), kind, this.before));
		}
		catch (Throwable ex) {
			failed(this.observer, ex);
		}
		Stage next = nested ? Stage.ENDED : Stage.HELD;
		LockLoss loss = STAGE.compareAndSet(this, Stage.REQUESTED, next) ? null : this.early;
		if (loss != null) {
			safely(() -> this.observer.lost(loss));
		}
	}

	@Override
	public void refused(RefusalReason reason, @Nullable Holder holder, @Nullable RuntimeException failure,
			long waitedNanos) {
		if (STAGE.compareAndSet(this, Stage.REQUESTED, Stage.ENDED)) {
			safely(() -> this.observer
				.refused(new LockRefused(this.reports.store(), this.request.name(), this.request.key(),
						this.request.caller(), Duration.ofNanos(waitedNanos), reason, holder, failure)));
		}
	}

	@Override
	public void released(long fencingToken, long heldNanos) {
		if (!STAGE.compareAndSet(this, Stage.HELD, Stage.RELEASING)) {
			return;
		}
		try {
			this.observer.released(new LockReleased(this.reports.store(), this.request.name(), this.request.key(),
					this.request.caller(), fencingToken, Duration.ofNanos(heldNanos)));
		}
		catch (Throwable ex) {
			failed(this.observer, ex);
		}
		this.stage = Stage.ENDED;
		reportFoundLater();
	}

	@Override
	public void lost(LockLoss loss) {
		this.early = loss;
		boolean unreported = STAGE.compareAndSet(this, Stage.REQUESTED, Stage.ENDED);
		if (!unreported && STAGE.compareAndSet(this, Stage.HELD, Stage.ENDED)) {
			this.reports.report(() -> safely(() -> this.observer.lost(loss)));
		}
	}

	@Override
	public void lostBeforeRelease(LockLoss loss) {
		this.foundLater = loss;
		if (this.stage == Stage.ENDED) {
			this.reports.report(this::reportFoundLater);
		}
	}

	private void reportFoundLater() {
		LockLoss loss = this.foundLater;
		if (loss != null && STAGE.compareAndSet(this, Stage.ENDED, Stage.FOUND_LOST)) {
			safely(() -> this.observer.lostBeforeRelease(loss));
		}
	}

	private void safely(Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			failed(this.observer, ex);
		}
	}

	private static void failed(AcquisitionObserver observer, Throwable failure) {
		logger.error("Lock observer {} failed", observer.getClass().getName(), failure);
	}

	/** The step of an acquisition that its observer was last notified of. */
	private enum Stage {

		REQUESTED, HELD, RELEASING, ENDED, FOUND_LOST

	}

}
