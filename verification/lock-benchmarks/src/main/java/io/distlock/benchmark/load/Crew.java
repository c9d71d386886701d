package io.distlock.benchmark.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.benchmark.peer.Peer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Threads that acquire and release until told to stop. */
public final class Crew {

	private static final long PATIENCE_MILLIS = 120_000;

	private final List<Worker> workers;

	private final List<Thread> threads = new ArrayList<>();

	private final ThreadFactory factory;

	private final List<CountDownLatch> first = Stream.of(Phase.values()).map((any) -> new CountDownLatch(1)).toList();

	private volatile Phase phase = Phase.SETTLING;

	private volatile @Nullable Throwable failure;

	/**
	 * Creates a crew; it does not run yet.
	 * @param load what to do
	 * @param peer the lock
	 * @param prefix what keys begin with
	 * @param section what to do under the lock
	 */
	public Crew(Load load, Peer peer, String prefix, CriticalSection section) {
		this(load, new Peer[] { peer }, prefix, section);
	}

	/**
	 * Creates a crew whose threads use several instances of a lock in turn.
	 * @param load what to do
	 * @param peers the instances
	 * @param prefix what keys begin with
	 * @param section what to do under the lock
	 */
	public Crew(Load load, Peer[] peers, String prefix, CriticalSection section) {
		String[] keys = IntStream.range(0, load.keys()).mapToObj((i) -> prefix + i).toArray(String[]::new);
		this.workers = IntStream.range(0, load.threads())
			.mapToObj((i) -> new Worker(i, peers[i % peers.length], keys, load, section, () -> this.phase,
					(begun) -> this.first.get(begun.ordinal()).countDown()))
			.toList();
		this.factory = VirtualThreads.factory(load.virtual());
	}

	/** Starts all threads. */
	public void start() {
		for (Worker worker : this.workers) {
			this.threads.add(this.factory.newThread(() -> run(worker)));
		}
		this.threads.forEach(Thread::start);
	}

	private void run(Worker worker) {
		try {
			worker.run();
		}
		catch (RuntimeException | Error ex) {
			this.failure = ex;
			this.phase = Phase.OVER;
			this.first.forEach(CountDownLatch::countDown);
		}
	}

	/**
	 * Says what acquisitions count for from now on.
	 * @param phase the phase
	 */
	public void enter(Phase phase) {
		if (this.phase != Phase.OVER) {
			this.phase = phase;
		}
	}

	/**
	 * Waits until there is something to measure, on a machine that has stalled.
	 * @param current the phase that should have an acquisition
	 */
	public void awaitFirst(Phase current) {
		try {
			this.first.get(current.ordinal()).await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Ends the work and waits until all threads have had their last turn.
	 * @return what was done
	 * @throws IllegalStateException if a thread failed or does not end
	 */
	public Tally stop() {
		this.phase = Phase.OVER;
		long deadline = System.currentTimeMillis() + PATIENCE_MILLIS;
		for (Thread thread : this.threads) {
			join(thread, deadline);
		}
		Throwable cause = this.failure;
		if (cause != null) {
			throw new IllegalStateException("A thread failed: " + cause, cause);
		}
		return tally();
	}

	private static void join(Thread thread, long deadline) {
		try {
			thread.join(Math.max(1, deadline - System.currentTimeMillis()));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (thread.isAlive()) {
			throw new IllegalStateException("A thread did not get the lock in " + PATIENCE_MILLIS + " ms");
		}
	}

	private Tally tally() {
		Histogram waits = Waits.histogram();
		this.workers.forEach((worker) -> waits.add(worker.waits()));
		return new Tally(sum(Phase.MEASURED), sum(Phase.WATCHED),
				IntStream.range(0, Phase.values().length).mapToLong((i) -> sum(Phase.values()[i])).sum(),
				this.workers.stream().mapToLong((worker) -> worker.count(Phase.MEASURED)).min().orElse(0),
				this.workers.stream().mapToLong((worker) -> worker.count(Phase.MEASURED)).max().orElse(0), waits);
	}

	/**
	 * How long releases took.
	 * @return the times of all threads; they must have ended
	 */
	public Histogram releases() {
		Histogram releases = Waits.histogram();
		this.workers.forEach((worker) -> releases.add(worker.releases()));
		return releases;
	}

	private long sum(Phase counted) {
		return this.workers.stream().mapToLong((worker) -> worker.count(counted)).sum();
	}

}
