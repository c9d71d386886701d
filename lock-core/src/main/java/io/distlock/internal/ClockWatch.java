package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.ClockJump;
import org.jspecify.annotations.Nullable;

/**
 * Notices clocks that jump: then no hold is sure of its lease, and all that are renewed
 * at all are renewed at once.
 */
final class ClockWatch {

	/** Every lock finds the same jump of its store in turn, at its next answer. */
	private static final long SAME_JUMP_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final AtomicBoolean suspicion = new AtomicBoolean();

	private final EngineClock clock;

	private final Announcer announcer;

	private final Runnable wake;

	/** When the clock of the store was last seen to jump. */
	private final AtomicReference<@Nullable Long> storeJumpAt = new AtomicReference<>();

	/**
	 * Creates a watch.
	 * @param clock the clock to look at
	 * @param announcer told of jumps
	 * @param wake called when {@link #takeSuspicion()} has become true
	 */
	ClockWatch(EngineClock clock, Announcer announcer, Runnable wake) {
		this.clock = clock;
		this.announcer = announcer;
		this.wake = wake;
	}

	/** Looks whether the wall clock jumped; at most times two readings of clocks. */
	void look() {
		long jump = this.clock.look();
		if (jump != 0) {
			this.announcer.clockJumped(new ClockJump(ClockJump.Source.LOCAL, Duration.ofNanos(jump)));
		}
		if (jump > 0) {
			suspect();
		}
	}

	/** The clock of the store went further than any time that can have passed here. */
	void storeJumped(long nanos) {
		if (isNews()) {
			this.announcer.clockJumped(new ClockJump(ClockJump.Source.STORE, Duration.ofNanos(nanos)));
			suspect();
		}
	}

	private boolean isNews() {
		long now = this.clock.nanoTime();
		Long before = this.storeJumpAt.getAndSet(now);
		return before == null || now - before >= SAME_JUMP_NANOS;
	}

	/** Whether the clock of the store was seen to jump at or after a moment. */
	boolean storeJumpedSince(long moment) {
		Long jumpedAt = this.storeJumpAt.get();
		return jumpedAt != null && jumpedAt - moment >= 0;
	}

	private void suspect() {
		this.suspicion.set(true);
		this.wake.run();
	}

	/** Whether all holds are to be looked at; the next call says no. */
	boolean takeSuspicion() {
		return this.suspicion.get() && this.suspicion.getAndSet(false);
	}

}
