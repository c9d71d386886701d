package io.distlock.benchmark.cold;

import java.time.Duration;

import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Peer;
import io.distlock.benchmark.peer.RedisAddress;
import io.distlock.test.Pause;

/** A process that connects, acquires and releases a lock, and does so again. */
public final class FirstLock {

	/** Some connect in the background; this is not what the first lock costs. */
	private static final Duration UNTIL_CONNECTED = Duration.ofSeconds(2);

	private FirstLock() {
	}

	/**
	 * Runs the process.
	 * @param args the implementation, host and port of the server
	 */
	public static void main(String[] args) {
		RedisAddress redis = new RedisAddress(args[1], Integer.parseInt(args[2]));
		long begun = System.nanoTime();
		Peer peer = Implementation.valueOf(args[0]).open(redis);
		NewProcess.report(Metric.OPEN, millisSince(begun));
		Pause.of(UNTIL_CONNECTED);
		double cpu = Machine.cpuMicros();
		NewProcess.report(Metric.FIRST_PAIR, pair(peer, "cold:1"));
		NewProcess.report(Metric.FIRST_PAIR_CPU, (Machine.cpuMicros() - cpu) / 1e3);
		NewProcess.report(Metric.SECOND_PAIR, pair(peer, "cold:2"));
		System.exit(0);
	}

	private static double pair(Peer peer, String key) {
		long begun = System.nanoTime();
		peer.acquire(key).release();
		return millisSince(begun);
	}

	private static double millisSince(long begun) {
		return (System.nanoTime() - begun) / 1e6;
	}

}
