package io.distlock.benchmark.scenario;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.distlock.test.Pause;
import io.distlock.benchmark.measure.Machine;
import io.distlock.benchmark.measure.Meter;
import io.distlock.benchmark.measure.Metric;
import io.distlock.benchmark.measure.Sample;
import io.distlock.benchmark.peer.Implementation.Trait;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Peer;

/** E: many locks are held for longer than their lease. */
public final class HeldLocks implements Scenario {

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private static final Pattern NETWORK = Pattern.compile("(?i).*(lettuce|netty|nio|parallel|Keep-Alive).*");

	@Override
	public void run(Bench bench) {
		for (Implementation implementation : bench.options().peers(Trait.RENEWS)) {
			bench.attempt("E", implementation, () -> {
				try (Keeper keeper = new Keeper(bench, implementation)) {
					bench.results().accept(keeper.measure());
				}
			});
		}
	}

	/** One implementation, and the threads that came with it. */
	private static final class Keeper implements AutoCloseable {

		private final Bench bench;

		private final Implementation implementation;

		private final Set<Long> before = Set.copyOf(threads().stream().map(Thread::getId).toList());

		private final Peer peer;

		private final List<Peer.Held> held = new ArrayList<>();

		Keeper(Bench bench, Implementation implementation) {
			this.bench = bench;
			this.implementation = implementation;
			this.peer = implementation.open(bench.redis());
		}

		Sample measure() {
			int locks = this.bench.options().locks();
			for (int i = 0; i < locks; i++) {
				this.held.add(this.peer.acquire("held:" + i));
			}
			Sample sample = new Sample("E", this.implementation.label(), 1);
			double heap = Machine.heapMegabytes();
			long keys = this.bench.probe().keys();
			long started = THREADS.getTotalStartedThreadCount();
			Meter meter = Meter.start(this.bench.probe());
			Pause.of(this.bench.options().hold());
			Meter.Usage usage = meter.stop();
			sample.put(Metric.STARTED_THREADS, THREADS.getTotalStartedThreadCount() - started)
				.put(Metric.NEW_THREADS, newThreads())
				.put(Metric.HEAP_START, heap)
				.put(Metric.HEAP_GROWTH, Machine.heapMegabytes() - heap);
			describe(sample, usage, locks);
			long vanished = keys - this.bench.probe().keys();
			return sample.put(Metric.LOST, Math.max(vanished, failedReleases()));
		}

		/** All of these renew by scripts, and no script is called by another one. */
		private static void describe(Sample sample, Meter.Usage usage, int locks) {
			double lockSeconds = usage.seconds() * locks;
			sample.put(Metric.LOCK_WIRE, usage.server().scripts() / lockSeconds)
				.put(Metric.LOCK_COMMANDS, usage.server().commands() / lockSeconds)
				.put(Metric.CLIENT_LOAD, usage.clientMicros() / usage.seconds() / 1e4)
				.put(Metric.SERVER_LOAD, usage.server().cpuMicros() / usage.seconds() / 1e4);
			usage.describeMachine(sample);
		}

		private long newThreads() {
			Set<String> names = threads().stream()
				.filter((thread) -> !this.before.contains(thread.getId()))
				.map((thread) -> thread.getName() + " #" + thread.getId())
				.filter((name) -> !NETWORK.matcher(name).matches())
				.collect(Collectors.toSet());
			return names.size();
		}

		private long failedReleases() {
			long failed = 0;
			for (Peer.Held one : this.held) {
				try {
					one.release();
				}
				catch (RuntimeException ex) {
					failed++;
				}
			}
			return failed;
		}

		private static Set<Thread> threads() {
			return Thread.getAllStackTraces().keySet();
		}

		@Override
		public void close() {
			this.peer.close();
		}

	}

}
