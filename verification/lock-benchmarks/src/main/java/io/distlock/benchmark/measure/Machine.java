package io.distlock.benchmark.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

/** The machine and this process, as the system counts them. */
public final class Machine {

	private static final OperatingSystemMXBean SYSTEM = (OperatingSystemMXBean) ManagementFactory
		.getOperatingSystemMXBean();

	private static final Path STAT = Path.of("/proc/stat");

	private static final double MICROS_PER_TICK = 10_000;

	private static final int IDLE = 3;

	private static final int IO_WAIT = 4;

	private static final int STEAL = 7;

	private Machine() {
	}

	/**
	 * Processor time of this process.
	 * @return microseconds
	 */
	public static double cpuMicros() {
		return SYSTEM.getProcessCpuTime() / 1e3;
	}

	/**
	 * Processor time of all processes.
	 * @return microseconds, not a number where the system does not tell
	 */
	public static double busyMicros() {
		if (!Files.isReadable(STAT)) {
			return Double.NaN;
		}
		try (Stream<String> lines = Files.lines(STAT)) {
			String[] ticks = lines.findFirst().orElseThrow().replaceFirst("cpu +", "").split(" ");
			double busy = 0;
			for (int i = 0; i <= STEAL; i++) {
				busy += (i == IDLE || i == IO_WAIT) ? 0 : Double.parseDouble(ticks[i]);
			}
			return busy * MICROS_PER_TICK;
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + STAT, ex);
		}
	}

	/**
	 * Load average of the last minute.
	 * @return the load
	 */
	public static double loadAverage() {
		return SYSTEM.getSystemLoadAverage();
	}

	/**
	 * How many processors there are.
	 * @return the number
	 */
	public static int processors() {
		return SYSTEM.getAvailableProcessors();
	}

	/**
	 * Names the processor.
	 * @return the model, or the architecture where the system does not tell
	 */
	public static String processor() {
		Path info = Path.of("/proc/cpuinfo");
		try (Stream<String> lines = Files.isReadable(info) ? Files.lines(info) : Stream.empty()) {
			return lines.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.findFirst()
				.orElse(System.getProperty("os.arch"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + info, ex);
		}
	}

	/**
	 * Heap in use after collecting garbage.
	 * @return megabytes
	 */
	public static double heapMegabytes() {
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
	}

	/** What the threads of this process that still live have allocated, in bytes. */
	static long allocated() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long sum = 0;
		for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
			sum += Math.max(0, bytes);
		}
		return sum;
	}

}
