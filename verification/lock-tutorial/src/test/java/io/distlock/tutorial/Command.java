package io.distlock.tutorial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process that ends with the test, also if the test's JVM is asked to end. */
final class Command implements AutoCloseable {

	private final Process process;

	private final Path log;

	private final Thread hook;

	private Command(Process process, Path log) {
		this.process = process;
		this.log = log;
		this.hook = new Thread(process::destroy);
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	static Command start(Path log, List<String> command) throws IOException {
		return new Command(new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(),
				log);
	}

	boolean isAlive() {
		return this.process.isAlive();
	}

	String output() throws IOException {
		return Files.readString(this.log);
	}

	/** First politely, so that nginx ends its workers. */
	@Override
	public void close() throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(20, TimeUnit.SECONDS)) {
			this.process.destroyForcibly();
		}
		Runtime.getRuntime().removeShutdownHook(this.hook);
	}

}
