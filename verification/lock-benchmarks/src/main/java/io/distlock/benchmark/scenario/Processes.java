package io.distlock.benchmark.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.distlock.benchmark.load.ChildProcess;
import io.distlock.benchmark.load.Load;
import io.distlock.benchmark.load.SharedMemory;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.Implementation.Trait;

/** C: several processes want the same lock. */
public final class Processes implements Scenario {

	private static final Duration MILLISECOND = Duration.ofMillis(1);

	@Override
	public void run(Bench bench) {
		run(bench, 4, 2);
		run(bench, 2, 16);
	}

	/** The same processes serve everybody: what the compiler learned helps all alike. */
	private static void run(Bench bench, int processes, int threads) {
		String empty = "C" + processes + "x" + threads;
		String slow = empty + "-1ms";
		if (!bench.options().wants(empty) && !bench.options().wants(slow)) {
			return;
		}
		Path file = SharedMemory.file();
		List<ChildProcess> children = new ArrayList<>();
		try {
			SharedMemory memory = new SharedMemory(file);
			List<Implementation> peers = bench.options().peers(Trait.SHARED, Trait.WAITS);
			bench.rounds(empty, peers, inProcesses(bench, processes, file, children,
					new ManyProcesses(bench, empty, Load.contended(threads, Duration.ZERO), children, memory)));
			bench.rounds(slow, peers, inProcesses(bench, processes, file, children,
					new ManyProcesses(bench, slow, Load.contended(threads, MILLISECOND), children, memory)));
		}
		finally {
			children.forEach(ChildProcess::close);
			delete(file);
		}
	}

	/**
	 * Processes in which an implementation failed may still be at work for it: the next
	 * one gets others.
	 */
	private static Bench.Measurement inProcesses(Bench bench, int processes, Path file, List<ChildProcess> children,
			ManyProcesses run) {
		return (implementation, round) -> {
			if (children.isEmpty()) {
				IntStream.rangeClosed(1, processes)
					.forEach((number) -> children.add(ChildProcess.start(bench.redis(), file, number)));
			}
			try {
				return run.measure(implementation, round);
			}
			catch (RuntimeException ex) {
				children.forEach(ChildProcess::kill);
				children.clear();
				throw ex;
			}
		};
	}

	private static void delete(Path file) {
		try {
			Files.delete(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot delete " + file, ex);
		}
	}

}
