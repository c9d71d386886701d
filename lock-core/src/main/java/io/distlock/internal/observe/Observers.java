package io.distlock.internal.observe;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.distlock.ClockJump;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All observers of the locks of a template. While none of them is interested, an
 * acquisition costs one question to each observer.
 */
public final class Observers {

	private static final Logger logger = LoggerFactory.getLogger(Observers.class);

	private final String store;

	/** The given observer, and the debug log, which observes acquisitions only. */
	private final LockObserver ofAcquisitions;

	private final LockObserver given;

	private final Executor later;

	private final Executor laterUnlessBehind;

	/**
	 * Creates the observers of a template: the given observer and the debug log.
	 * @param store the id of the store
	 * @param given the application's observer
	 * @param later runs in order, off the threads of the engine, what may block
	 * @param laterUnlessBehind the same, but drops it if too much has not run yet
	 */
	public Observers(String store, LockObserver given, Executor later, Executor laterUnlessBehind) {
		this.store = store;
		this.ofAcquisitions = LockObserver.all(List.of(new LockLog(), given));
		this.given = LockObserver.all(List.of(given));
		this.later = later;
		this.laterUnlessBehind = laterUnlessBehind;
	}

	/**
	 * Returns the id of the store.
	 * @return the id
	 */
	public String store() {
		return this.store;
	}

	/**
	 * Begins to observe an acquisition, on the thread of the caller.
	 * @param request what is requested, of one key
	 * @return the acquisition
	 */
	public ObservedAcquisition acquiring(LockRequest request) {
		AcquisitionObserver interested = this.ofAcquisitions.acquiring(this.store, request);
		return (interested != null) ? new ReportedAcquisition(request, interested, this) : ObservedAcquisition.NONE;
	}

	/**
	 * Reports that a lock was lost. Called outside the monitor.
	 * @param loss what was lost
	 */
	public void lost(LockLoss loss) {
		if (this.given != LockObserver.NONE) {
			this.later.execute(() -> this.given.lost(loss));
		}
	}

	/**
	 * Reports that a hold exceeds its expected maximum hold time.
	 * @param overrun takes the stack trace of the owner, so that this thread does not
	 */
	public void heldTooLong(Supplier<LockOverrun> overrun) {
		this.later.execute(() -> {
			LockOverrun taken = overrun.get();
			logger.warn("{}", taken.describe());
			this.given.heldTooLong(taken);
		});
	}

	/**
	 * Reports that the clock of this machine jumped.
	 * @param jump how far
	 */
	public void clockJumped(ClockJump jump) {
		this.later.execute(() -> {
			logger.warn("{}", jump.describe());
			this.given.clockJumped(jump);
		});
	}

	/** Reports a step, which is never dropped. */
	void report(Runnable step) {
		this.later.execute(step);
	}

	/** Reports a step, unless observers cannot keep up. */
	void reportUnlessBehind(Runnable step) {
		this.laterUnlessBehind.execute(step);
	}

	/**
	 * Returns whether commands to the store are observed.
	 * @return {@code true} if {@link #commandEnded} should be called
	 */
	public boolean ofCommands() {
		return this.given.observesCommands();
	}

	/**
	 * Reports that a command has ended.
	 * @param command what was asked
	 * @param nanos how long it took
	 * @param failure why there was no answer, or {@code null}
	 */
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		this.given.commandEnded(this.store, command, nanos, failure);
	}

}
