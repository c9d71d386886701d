package io.distlock.benchmark.stores;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.HdrHistogram.Histogram;

/** A JVM that runs a {@link Worker}. */
final class WorkerProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader out;

	private double rate;

	private long all;

	private WorkerProcess(Process process) {
		this.process = process;
		this.out = process.inputReader();
	}

	static WorkerProcess start(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java", "-cp",
				System.getProperty("java.class.path"), Worker.class.getName()));
		command.addAll(List.of(arguments));
		return new WorkerProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
	}

	private String[] nextLine() throws IOException {
		String line = this.out.readLine();
		if (line == null) {
			throw new IOException("A process has ended before its time");
		}
		return line.split(" ");
	}

	void awaitReady() throws IOException {
		while (!nextLine()[0].equals("ready")) {
			// What libraries print.
		}
	}

	void go() throws IOException {
		this.process.getOutputStream().write('\n');
		this.process.getOutputStream().flush();
	}

	void awaitEnd(Histogram waits) throws IOException {
		for (String[] words = nextLine(); !words[0].equals("end"); words = nextLine()) {
			switch (words[0]) {
				case "rate" -> this.rate = Double.parseDouble(words[1]);
				case "all" -> this.all = Long.parseLong(words[1]);
				case "wait" -> waits.recordValueWithCount(Long.parseLong(words[1]), Long.parseLong(words[2]));
				default -> {
					// What libraries print.
				}
			}
		}
	}

	double rate() {
		return this.rate;
	}

	long all() {
		return this.all;
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
