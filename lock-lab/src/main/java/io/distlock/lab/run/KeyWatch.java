package io.distlock.lab.run;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/** Looks at the key of the lock again and again, and passes on what changed. */
final class KeyWatch {

	private static final long PAUSE_NANOS = 5_000_000;

	private static final int MOST_SAMPLES = 400;

	private final Supplier<@Nullable KeySample> source;

	private final BooleanSupplier wanted;

	private final Consumer<KeySample> listener;

	private final Thread thread = new Thread(this::watch, "key of the lab");

	private volatile boolean over;

	KeyWatch(Supplier<@Nullable KeySample> source, BooleanSupplier wanted, Consumer<KeySample> listener) {
		this.source = source;
		this.wanted = wanted;
		this.listener = listener;
	}

	void start() {
		this.thread.setDaemon(true);
		this.thread.start();
	}

	void end() throws InterruptedException {
		this.over = true;
		this.thread.join();
	}

	private void watch() {
		KeySample before = null;
		for (int samples = 0; samples < MOST_SAMPLES && !this.over;) {
			KeySample now = this.wanted.getAsBoolean() ? this.source.get() : null;
			if (now != null && (before == null || !now.follows(before))) {
				this.listener.accept(now);
				samples++;
			}
			before = (now != null) ? now : before;
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

}
