package io.distlock.test;

import java.time.Duration;

/**
 * Notices that this JVM stood still, because its machine stalled or because it was
 * stopped. A bound in real time says nothing about locks if the machine did not run
 * meanwhile. A test therefore subtracts the standstill, or repeats what a standstill
 * spoiled. A test that fails without a standstill fails as usual.
 * <p>
 * A thread looks at the clock every few milliseconds. If it could not do so for 200 ms or
 * more, that time is a standstill. Server processes are not watched.
 */
public final class Standstill {

	private static final Duration GLANCE = Duration.ofMillis(10);

	private static final long LEAST_NANOS = Duration.ofMillis(200).toNanos();

	private static final int ATTEMPTS = 5;

	private static final Standstill JVM = watch();

	private long lastGlance = System.nanoTime();

	private long totalNanos;

	private Standstill() {
	}

	private static Standstill watch() {
		Standstill standstill = new Standstill();
		Thread thread = new Thread(() -> {
			while (true) {
				Pause.of(GLANCE);
				standstill.glance();
			}
		}, "standstill");
		thread.setDaemon(true);
		thread.start();
		return standstill;
	}

	/**
	 * Looks at the clock. Each thread that asks does so too, because it may run before
	 * the watching thread.
	 */
	private synchronized long glance() {
		long now = System.nanoTime();
		long since = now - this.lastGlance;
		this.lastGlance = now;
		if (since >= LEAST_NANOS) {
			this.totalNanos += since;
		}
		return this.totalNanos;
	}

	/**
	 * Returns how long this JVM has stood still altogether since the first use of this
	 * class.
	 * @return the sum of all standstills of 200 ms and more
	 */
	public static Duration total() {
		return Duration.ofNanos(JVM.glance());
	}

	/**
	 * Measures a call in real time, without the time in which this JVM stood still.
	 * @param body what to measure
	 * @return how long the body took
	 * @throws Exception what the body throws
	 */
	public static Duration timed(TestThreads.Action body) throws Exception {
		long begun = System.nanoTime();
		Duration before = total();
		body.run();
		Duration stood = total().minus(before);
		return Duration.ofNanos(System.nanoTime() - begun).minus(stood);
	}

	/**
	 * Runs a body, and repeats it if it fails and this JVM stood still meanwhile. Runs it
	 * five times at most.
	 * @param body what to run, which can be repeated
	 * @throws Exception what the body throws, if no standstill explains it
	 */
	public static void repeat(TestThreads.Action body) throws Exception {
		repeat(Duration.ofNanos(Long.MAX_VALUE), body);
	}

	/**
	 * Runs a body, and repeats it if it fails and this JVM stood still meanwhile. Runs it
	 * five times at most. Repeats it once, too, if it failed only after a time in which
	 * it ends on any machine that is not busy.
	 * @param usual the time that it takes at most, as servers and single threads stand
	 * still too
	 * @param body what to run, which can be repeated
	 * @throws Exception what the body throws, if nothing of that explains it
	 */
	static void repeat(Duration usual, TestThreads.Action body) throws Exception {
		for (int attempt = 1;; attempt++) {
			Duration before = total();
			long begun = System.nanoTime();
			try {
				body.run();
				return;
			}
			catch (Exception | AssertionError ex) {
				boolean stood = !total().equals(before);
				boolean slow = attempt == 1 && System.nanoTime() - begun >= usual.toNanos();
				if (attempt == ATTEMPTS || !(stood || slow)) {
					throw ex;
				}
			}
		}
	}

}
