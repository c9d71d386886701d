package io.distlock.internal.time;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.distlock.ClockJump;
import org.jspecify.annotations.Nullable;

/**
 * Detects jumps of the local clock and of the store's clock. After a jump no remaining
 * lease is certain, so all renewed holds are renewed at once.
 */
public final class ClockWatch {

	/** Every key finds the same jump of the store's clock, at its next answer. */
	private static final long SAME_JUMP_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final AtomicBoolean suspicion = new AtomicBoolean();

	private final String store;

	private final EngineClock clock;

	private final Consumer<ClockJump> listener;

	private final Runnable wake;

	/** When the store's clock was last seen to jump. */
	private final AtomicReference<@Nullable Long> storeJumpAt = new AtomicReference<>();

	/**
	 * Creates a watch.
	 * @param store the id of the store
	 * @param clock the clock to watch
	 * @param listener notified of jumps
	 * @param wake called when {@link #takeSuspicion()} has become true
	 */
	public ClockWatch(String store, EngineClock clock, Consumer<ClockJump> listener, Runnable wake) {
		this.store = store;
		this.clock = clock;
		this.listener = listener;
		this.wake = wake;
	}

	/** Checks whether the wall clock jumped; usually that takes two clock readings. */
	public void check() {
		long jump = this.clock.compare();
		// First: the jump is found only once, and to report it may fail.
		if (jump > 0) {
			suspect();
		}
		if (jump != 0) {
			this.listener.accept(new ClockJump(this.store, ClockJump.Source.LOCAL, Duration.ofNanos(jump)));
		}
	}

	long now() {
		return this.clock.nanoTime();
	}

	/** The store's clock advanced further than the time that can have passed here. */
	void storeJumped(long nanos) {
		if (isNewJump()) {
			suspect();
			this.listener.accept(new ClockJump(this.store, ClockJump.Source.STORE, Duration.ofNanos(nanos)));
		}
	}

	private boolean isNewJump() {
		long now = this.clock.nanoTime();
		Long before = this.storeJumpAt.getAndSet(now);
		return before == null || now - before >= SAME_JUMP_NANOS;
	}

	/**
	 * Returns whether the store's clock was seen to jump at or after a moment.
	 * @param moment a moment of the monotonic clock
	 * @return {@code true} if so
	 */
	public boolean storeJumpedSince(long moment) {
		Long jumpedAt = this.storeJumpAt.get();
		return jumpedAt != null && jumpedAt - moment >= 0;
	}

	private void suspect() {
		this.suspicion.set(true);
		this.wake.run();
	}

	/**
	 * Returns whether all holds are to be renewed because of a jump.
	 * @return {@code true} once for each jump
	 */
	public boolean takeSuspicion() {
		return this.suspicion.get() && this.suspicion.getAndSet(false);
	}

}
