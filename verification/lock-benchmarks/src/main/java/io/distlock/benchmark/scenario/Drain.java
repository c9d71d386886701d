package io.distlock.benchmark.scenario;

import java.time.Duration;
import io.distlock.test.Pause;
import io.distlock.benchmark.measure.CommandWatch;
import io.distlock.benchmark.measure.Meter;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Peer;
import org.jspecify.annotations.Nullable;

/** D: many threads wait for a lock that is held, then it is released. */
public final class Drain implements Scenario {

	private static final String KEY = "drained";

	private static final long SETTLE_MILLIS = 500;

	private static final long LIMIT_MILLIS = 25_000;

	private final boolean virtual;

	/**
	 * Creates the scenario.
	 * @param virtual whether the threads are virtual
	 */
	public Drain(boolean virtual) {
		this.virtual = virtual;
	}

	@Override
	public void run(Bench bench) {
		String name = "D" + bench.options().waiters() + (this.virtual ? "-virtual" : "");
		bench.rounds(name, bench.options().peers(Trait.WAITS), (implementation, round) -> {
			if (!this.virtual) {
				return measure(bench, name, implementation, round);
			}
			try (PinnedThreads pinned = new PinnedThreads()) {
				return measure(bench, name, implementation, round).put(Metric.PINNED, pinned.stop());
			}
		});
	}

	private Sample measure(Bench bench, String name, Implementation implementation, int round) {
		Sample sample = new Sample(name, implementation.label(), round);
		Peer peer = implementation.open(bench.redis());
		// As in a fleet, the holder is another instance: it shows which implementations
		// poll for it.
		Peer holder = implementation.has(Trait.SHARED) ? implementation.open(bench.redis()) : peer;
		Peer.Held held = holder.acquire(KEY);
		try (WaitingThreads waiting = new WaitingThreads(peer, KEY, bench.options().waiters(), this.virtual)) {
			waiting.start();
			Pause.of(Duration.ofMillis(Math.min(SETTLE_MILLIS, bench.measureMillis())));
			sample.put(Metric.IDLE_WIRE, idleCommands(bench) * 1000.0 / bench.measureMillis());
			drain(bench, held, waiting, sample);
			Bench.requireExact(name, implementation, waiting.counted(), waiting.served());
		}
		catch (LateReleaseException ex) {
			tellFailure(sample, ex.getCause());
		}
		finally {
			holder.close();
			peer.close();
		}
		return sample;
	}

	private static void drain(Bench bench, Peer.Held held, WaitingThreads waiting, Sample sample) {
		Meter meter = Meter.start(bench.probe());
		long begun = System.nanoTime();
		release(held, waiting);
		boolean drained = waiting.await(LIMIT_MILLIS);
		double millis = (System.nanoTime() - begun) / 1e6;
		Meter.Usage usage = meter.stop();
		usage.describeMachine(sample);
		sample.put(Metric.DRAIN, millis)
			.put(Metric.SERVED, waiting.served())
			.put(Metric.FAILED, waiting.failed())
			.put(Metric.OUT_OF_ORDER, waiting.outOfOrder())
			.put(Metric.COMMANDS, (double) usage.server().commands() / Math.max(1, waiting.served()));
		tellFailure(sample, waiting.failure());
		if (!drained) {
			waiting.abandon();
		}
	}

	private static void release(Peer.Held held, WaitingThreads waiting) {
		try {
			held.release();
		}
		catch (RuntimeException ex) {
			waiting.abandon();
			throw new LateReleaseException(ex);
		}
	}

	/** That others cannot serve so many is a result; our own exceptions are defects. */
	private static void tellFailure(Sample sample, @Nullable Throwable failure) {
		if (failure == null) {
			return;
		}
		if (sample.implementation().startsWith("ours")) {
			throw new IllegalStateException("A waiting thread failed: " + failure, failure);
		}
		System.err.println(sample.implementation() + " failed: " + failure);
	}

	private static long idleCommands(Bench bench) {
		try (CommandWatch watch = new CommandWatch(bench.redis(), bench.probe())) {
			Pause.of(Duration.ofMillis(bench.measureMillis()));
			return watch.stop();
		}
	}

	/** Without renewal the lock was over before all were waiting. */
	private static final class LateReleaseException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		LateReleaseException(RuntimeException cause) {
			super(cause);
		}

	}

}
