package io.distlock.benchmark.load;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.distlock.benchmark.measure.Compiler;
import io.distlock.benchmark.peer.Implementation;
import io.distlock.benchmark.peer.RedisAddress;

/** Another JVM with the same class path, as its parent sees it. */
public final class ChildProcess implements AutoCloseable {

	private static final long END_SECONDS = 10;

	private final Process process;

	private final BufferedReader out;

	private final BufferedWriter in;

	private ChildProcess(Process process) {
		this.process = process;
		this.out = process.inputReader();
		this.in = process.outputWriter();
	}

	/**
	 * Starts a process that compiles as this one.
	 * @param redis the server
	 * @param memory file that all processes share
	 * @param number which process this is, from 1
	 * @return the process
	 */
	public static ChildProcess start(RedisAddress redis, Path memory, int number) {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		List<String> command = new ArrayList<>(List.of(java, "-Xmx512m"));
		command.addAll(Compiler.current().options());
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), ChildMain.class.getName(), redis.host(),
				String.valueOf(redis.port()), memory.toString(), String.valueOf(number)));
		try {
			return new ChildProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot start " + java, ex);
		}
	}

	/**
	 * Asks to connect; {@link #await()} the answer.
	 * @param implementation which lock
	 * @param load what to do
	 * @param prefix what keys begin with
	 */
	public void open(Implementation implementation, Load load, String prefix) {
		send("open " + implementation.name() + " " + load.threads() + " " + load.body().toNanos() + " " + prefix);
	}

	/** Asks to start all threads; {@link #await()} the answer. */
	public void startCrew() {
		send("start");
	}

	/**
	 * Asks to count for another phase from now on; {@link #await()} the answer.
	 * @param phase the phase
	 */
	public void enter(Phase phase) {
		send("enter " + phase);
	}

	/** Asks to stop all threads; {@link #awaitTally()} the answer. */
	public void stopCrew() {
		send("stop");
	}

	/** Asks to disconnect; {@link #await()} the answer. */
	public void closePeer() {
		send("close");
	}

	/** Waits until what was asked for is done. */
	public void await() {
		answer();
	}

	/**
	 * Waits until all threads have ended.
	 * @return what they did
	 */
	public ChildTally awaitTally() {
		return ChildTally.fromLine(answer());
	}

	private void send(String line) {
		try {
			this.in.write(line);
			this.in.newLine();
			this.in.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Process " + this.process.pid() + " is gone", ex);
		}
	}

	private String answer() {
		try {
			for (String line = this.out.readLine(); line != null; line = this.out.readLine()) {
				if (line.startsWith(ChildMain.ANSWER + "failed")) {
					break;
				}
				if (line.startsWith(ChildMain.ANSWER)) {
					return line.substring(ChildMain.ANSWER.length());
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Process " + this.process.pid() + " is gone", ex);
		}
		throw new IllegalStateException("Process " + this.process.pid() + " failed; see its error output");
	}

	/** Ends the process at once, whatever it does. */
	public void kill() {
		this.process.destroyForcibly();
	}

	@Override
	public void close() {
		try {
			this.in.close();
			if (!this.process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
				this.process.destroyForcibly();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
