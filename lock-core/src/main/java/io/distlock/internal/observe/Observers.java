package io.distlock.internal.observe;

import java.util.List;
import java.util.concurrent.Executor;

import io.distlock.LockRequest;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.observe.StoreCommand;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that observes the locks of a template. While nothing does, an acquisition costs one
 * question to each.
 */
public final class Observers {

	private static final Logger logger = LoggerFactory.getLogger(Observers.class);

	private final LockObserver observer;

	/** Of those that are always there none observes commands. */
	private final LockObserver ofCommands;

	private final Executor later;

	private final Executor laterUnlessBehind;

	/**
	 * Creates what observes a template: the given ones, the debug log, and the flight
	 * recorder where there is one.
	 * @param activity notifies a listener of the template
	 * @param given the application's observer
	 * @param later runs in order, off the threads of the engine, what may block
	 * @param laterUnlessBehind the same, but drops it if too much has not run yet
	 */
	public Observers(LockObserver activity, LockObserver given, Executor later, Executor laterUnlessBehind) {
		this.observer = LockObserver.all(List.of(new LockLog(), flightRecorder(), activity, given));
		this.ofCommands = given;
		this.later = later;
		this.laterUnlessBehind = laterUnlessBehind;
	}

	/** The module of the recorder is not in every runtime. */
	private static LockObserver flightRecorder() {
		return ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? new FlightRecording() : LockObserver.NONE;
	}

	/**
	 * Begins to observe an acquisition, on the thread of the caller.
	 * @param request what is requested, of one key
	 * @return the acquisition, or {@code null} if nothing observes it
	 */
	public @Nullable ObservedAcquisition acquiring(LockRequest request) {
		AcquisitionObserver interested = interested(request);
		return (interested != null) ? new ObservedAcquisition(request, interested, this) : null;
	}

	private @Nullable AcquisitionObserver interested(LockRequest request) {
		try {
			return this.observer.acquiring(request);
		}
		catch (Throwable ex) {
			logger.error("A lock observer failed", ex);
			return null;
		}
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
		try {
			return this.ofCommands.observesCommands();
		}
		catch (Throwable ex) {
			logger.error("A lock observer failed", ex);
			return false;
		}
	}

	/**
	 * A command has ended.
	 * @param command what was asked
	 * @param nanos how long it took
	 * @param failure why there was no answer, or {@code null}
	 */
	public void commandEnded(StoreCommand command, long nanos, @Nullable Throwable failure) {
		try {
			this.ofCommands.commandEnded(command, nanos, failure);
		}
		catch (Throwable ex) {
			logger.error("A lock observer failed", ex);
		}
	}

}
