package io.distlock.lab.web;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Finds out whether this machine is quiet enough for a run that others will watch. On a
 * busy machine, work of a few milliseconds takes many times as long, which would teach
 * the wrong thing.
 */
final class Calibration {

	/** The share of its time for which a thread must get a processor. */
	static final double LEAST_SHARE = 0.85;

	private final int processors;

	private final Callable<Double> spin;

	/**
	 * Creates a calibration.
	 * @param processors how many threads compute at the same time
	 * @param spin computes for a moment, and returns for which share of it the calling
	 * thread had a processor, from 0 to 1
	 */
	Calibration(int processors, Callable<Double> spin) {
		this.processors = processors;
		this.spin = spin;
	}

	/**
	 * Computes on all processors for a moment.
	 * @return the smallest share of a processor that a thread got
	 * @throws InterruptedException if the thread is interrupted
	 */
	double leastShare() throws InterruptedException {
		ExecutorService threads = Executors.newFixedThreadPool(this.processors);
		try {
			List<Callable<Double>> spins = new ArrayList<>();
			for (int i = 0; i < this.processors; i++) {
				spins.add(this.spin);
			}
			double least = 1;
			for (Future<Double> share : threads.invokeAll(spins)) {
				least = Math.min(least, share.get());
			}
			return least;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The machine could not be measured", ex.getCause());
		}
		finally {
			threads.shutdown();
		}
	}

}
