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
 * One acquisition that is observed: collects, under the monitor of the key, what is known
 * of it, and notifies its observer, outside, of each step once and in order, whatever an
 * observer throws.
 * <p>
 * Invariant: an observer that blocks delays no command. It runs on the thread of its
 * caller, after the commands of that thread, or on a thread that sends none.
 */
public final class ObservedAcquisition {

	private static final Logger logger = LoggerFactory.getLogger(ObservedAcquisition.class);

	/** One object less for each acquisition. */
	private static final AtomicReferenceFieldUpdater<ObservedAcquisition, Stage> STAGE = AtomicReferenceFieldUpdater
		.newUpdater(ObservedAcquisition.class, Stage.class, "stage");

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
	ObservedAcquisition(LockRequest request, AcquisitionObserver observer, Observers reports) {
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
			failed(ex);
			return "";
		}
	}

	/**
	 * Returns what the metadata of the holder shows.
	 * @return trace id and span id, or an empty text
	 */
	public String trace() {
		return this.trace;
	}

	/**
	 * Others hold the lock. Called under the monitor of the key.
	 * @param holder who, or {@code null} if that is not known
	 * @return what the caller's thread is to run after its commands, or
	 * {@link #reportLater}; {@code null} if there is nothing to notify of now
	 */
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

	/**
	 * Notifies the observer where it delays no command, or not at all if observers cannot
	 * keep up. Called outside the monitor.
	 * @param report what {@link #waitsFor} returned
	 */
	public void reportLater(Runnable report) {
		// mutant: waits-later
		this.reports.reportUnlessBehind(report);
	}

	/**
	 * A thread of this process held the lock until now, and the store is asked again.
	 * Called under the monitor of the key.
	 */
	public void waitedHere() {
		this.waitedHere = true;
	}

	/**
	 * The lock is about to be granted. Called under the monitor of the key.
	 * @param how how it came here
	 */
	public void grantedBy(GrantKind how) {
		this.how = (how == GrantKind.FREE && this.waitedHere) ? GrantKind.WAITED : how;
	}

	/**
	 * The lock was acquired. Called outside the monitor, by the thread that got it.
	 * @param fencingToken token of the hold
	 * @param nested whether its owner had it already
	 * @param waitedNanos from the request to the grant
	 */
	public void acquired(long fencingToken, boolean nested, long waitedNanos) {
		GrantKind kind = nested ? GrantKind.NESTED : this.how;
		try {
			this.observer.acquired(new LockAcquired(this.request.name(), this.request.key(), this.request.caller(),
					fencingToken, Duration.ofNanos(waitedNanos), kind, this.before));
		}
		catch (Throwable ex) {
			failed(ex);
		}
		Stage next = nested ? Stage.ENDED : Stage.HELD;
		LockLoss loss = STAGE.compareAndSet(this, Stage.REQUESTED, next) ? null : this.early;
		if (loss != null) {
			safely(() -> this.observer.lost(loss));
		}
	}

	/**
	 * The acquisition ended without the lock. Called outside the monitor.
	 * @param reason why
	 * @param holder who holds it, or {@code null} if that is not known
	 * @param failure what the caller gets, if that is known
	 * @param waitedNanos from the request to its end
	 */
	public void refused(RefusalReason reason, @Nullable Holder holder, @Nullable RuntimeException failure,
			long waitedNanos) {
		if (STAGE.compareAndSet(this, Stage.REQUESTED, Stage.ENDED)) {
			safely(() -> this.observer.refused(new LockRefused(this.request.name(), this.request.key(),
					this.request.caller(), Duration.ofNanos(waitedNanos), reason, holder, failure)));
		}
	}

	/**
	 * The hold was released. Called outside the monitor.
	 * @param fencingToken token of the hold
	 * @param heldNanos from the grant to the release
	 */
	public void released(long fencingToken, long heldNanos) {
		if (!STAGE.compareAndSet(this, Stage.HELD, Stage.RELEASING)) {
			return;
		}
		try {
			this.observer.released(new LockReleased(this.request.name(), this.request.key(), this.request.caller(),
					fencingToken, Duration.ofNanos(heldNanos)));
		}
		catch (Throwable ex) {
			failed(ex);
		}
		this.stage = Stage.ENDED;
		reportFoundLater();
	}

	/**
	 * The hold was lost before its release, perhaps before its thread woke. Called
	 * outside the monitor.
	 * @param loss what was lost
	 */
	public void lost(LockLoss loss) {
		this.early = loss;
		boolean unreported = STAGE.compareAndSet(this, Stage.REQUESTED, Stage.ENDED);
		if (!unreported && STAGE.compareAndSet(this, Stage.HELD, Stage.ENDED)) {
			// mutant: lost-later
			this.reports.report(() -> safely(() -> this.observer.lost(loss)));
		}
	}

	/**
	 * The answer to the release shows that the hold had been lost before. It may come
	 * before the releasing thread has reported the release. Called outside the monitor.
	 * @param loss what was lost
	 */
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

	private static void safely(Runnable step) {
		try {
			step.run();
		}
		catch (Throwable ex) {
			failed(ex);
		}
	}

	private static void failed(Throwable failure) {
		logger.error("A lock observer failed", failure);
	}

	/** How far an acquisition has come, as far as its observer knows. */
	private enum Stage {

		REQUESTED, HELD, RELEASING, ENDED, FOUND_LOST

	}

}
