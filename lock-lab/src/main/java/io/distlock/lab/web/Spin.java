package io.distlock.lab.web;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Computes for some time on the calling thread, and returns for which share of it that
 * thread had a processor.
 *
 * @param time for how long
 */
record Spin(Duration time) implements Callable<Double> {

	@Override
	public Double call() {
		ThreadMXBean threads = ManagementFactory.getThreadMXBean();
		long begun = System.nanoTime();
		long used = threads.getCurrentThreadCpuTime();
		long wall = 0;
		while (wall < this.time.toNanos()) {
			wall = System.nanoTime() - begun;
		}
		return (double) (threads.getCurrentThreadCpuTime() - used) / wall;
	}

}
