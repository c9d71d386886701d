package io.distlock.databases;

import java.nio.file.Path;
import java.util.List;

/** A server with its data in a directory, which survive its process. */
abstract class RestartableServer implements AutoCloseable {

	private final Path files;

	private final int port;

	private final List<String> command;

	private ServerProcess process;

	RestartableServer(Path files, int port, List<String> command) {
		this.files = files;
		this.port = port;
		this.command = command;
		this.process = launch();
	}

	private ServerProcess launch() {
		return ServerProcess.start(this.files, this.port, "KILL", this.command);
	}

	/** Returns the port. */
	public int port() {
		return this.port;
	}

	/** Kills the process; what was committed is on the disk. */
	public void kill() {
		this.process.kill();
	}

	/** Starts the server again, with its data. */
	public void restart() {
		this.process = launch();
	}

	/**
	 * Sends a signal.
	 * @param name for instance {@code STOP}
	 */
	public void signal(String name) {
		this.process.signal(name);
	}

	@Override
	public void close() {
		this.process.close();
	}

}
