package io.distlock.records;

import java.util.List;

import io.distlock.spi.CallingThread;

/**
 * The threads that wait for the commands of a batch. At most one of them is the present
 * one, and the others accept nothing.
 *
 * @param callers one for each command
 */
record WaitingThreads(List<CallingThread> callers) implements CallingThread {

	@Override
	public boolean offer(Runnable task) {
		return this.callers.stream().anyMatch((caller) -> caller.offer(task));
	}

	/** The most impatient one may be the present one. */
	@Override
	public long patienceNanos() {
		return this.callers.stream().mapToLong(CallingThread::patienceNanos).min().orElse(Long.MAX_VALUE);
	}

}
