package io.distlock.benchmark.measure;

/** Reads all counters at the begin and at the end of a measurement. */
public final class Meter {

	private final RedisProbe probe;

	private final RedisProbe.Work work;

	private final double cpuMicros;

	private final double busyMicros;

	private final long busySince;

	private final long allocated;

	private final long begun;

	private Meter(RedisProbe probe) {
		this.probe = probe;
		this.busyMicros = Machine.busyMicros();
		this.busySince = System.nanoTime();
		this.work = probe.work();
		this.allocated = Machine.allocated();
		this.cpuMicros = Machine.cpuMicros();
		this.begun = System.nanoTime();
	}

	/**
	 * Begins to measure.
	 * @param probe a connection to the server
	 * @return the meter
	 */
	public static Meter start(RedisProbe probe) {
		return new Meter(probe);
	}

	/**
	 * Ends the measurement.
	 * @return what was used
	 */
	public Usage stop() {
		double seconds = (System.nanoTime() - this.begun) / 1e9;
		long allocated = Machine.allocated() - this.allocated;
		double ownMicros = Machine.cpuMicros() - this.cpuMicros;
		RedisProbe.Work done = this.probe.work().since(this.work);
		double busy = (Machine.busyMicros() - this.busyMicros) * 1e9 / (System.nanoTime() - this.busySince);
		return new Usage(seconds, ownMicros, done, busy, allocated);
	}

	/**
	 * What a measurement used.
	 *
	 * @param seconds how long it took
	 * @param clientMicros processor time of the clients
	 * @param server what the server did
	 * @param busyMicros processor time per second of everybody on this machine
	 * @param allocated bytes that threads of this process allocated, those of threads
	 * that ended left out
	 */
	public record Usage(double seconds, double clientMicros, RedisProbe.Work server, double busyMicros,
			long allocated) {

		/**
		 * Replaces the clients' time, for clients in other processes.
		 * @param micros their time
		 * @return a copy
		 */
		public Usage withClientMicros(double micros) {
			return new Usage(this.seconds, micros, this.server, this.busyMicros, -1);
		}

		/**
		 * Writes rate and costs into a sample.
		 * @param sample where
		 * @param acquisitions how many there were
		 */
		public void describe(Sample sample, long acquisitions) {
			sample.put(Metric.RATE, acquisitions / this.seconds)
				.put(Metric.COMMANDS, per(acquisitions, this.server.commands()))
				.put(Metric.CLIENT_CPU, per(acquisitions, this.clientMicros))
				.put(Metric.SERVER_CPU, per(acquisitions, this.server.cpuMicros()))
				.put(Metric.SCRIPT_CPU, per(acquisitions, this.server.scriptMicros()));
			if (this.allocated > 0) {
				sample.put(Metric.ALLOCATED, per(acquisitions, this.allocated));
			}
			describeMachine(sample);
		}

		/**
		 * Writes how quiet the machine was into a sample.
		 * @param sample where
		 */
		public void describeMachine(Sample sample) {
			double own = (this.clientMicros + this.server.cpuMicros()) / this.seconds;
			double share = (this.busyMicros - own) / 1e4 / Machine.processors();
			sample.put(Metric.OTHERS, Double.isNaN(share) ? share : Math.max(0, share))
				.put(Metric.LOAD_AVERAGE, Machine.loadAverage());
		}

		private static double per(long acquisitions, double amount) {
			return (acquisitions > 0) ? Math.max(0, amount) / acquisitions : Double.NaN;
		}

	}

}
