package io.distlock.sample.fleet;

import java.util.List;
import java.util.Map;

import io.distlock.sample.jvm.NodeJvm;

/** A node as the main process sees it. Safe for use by several threads. */
final class FleetNode {

	/** What a node prints when it serves, with its port behind. */
	static final String SERVES = "This node serves on port ";

	private static final int HEAP_MEGABYTES = 128;

	private final String name;

	private final NodeJvm process;

	private volatile int port;

	FleetNode(Class<?> application, String name, List<String> args, Map<String, String> environment) {
		this.name = name;
		this.process = NodeJvm.start(application, name, HEAP_MEGABYTES, args, environment, this::read);
	}

	private void read(String line) {
		if (line.startsWith(SERVES)) {
			this.port = Integer.parseInt(line.substring(SERVES.length()));
		}
		else if (!line.isBlank()) {
			System.out.println(this.name + ": " + line);
		}
	}

	boolean isUp() {
		return this.port > 0 && this.process.isAlive();
	}

	boolean isGone() {
		return !this.process.isAlive();
	}

	int port() {
		return this.port;
	}

	String name() {
		return this.name;
	}

	void stop() {
		this.process.close();
	}

	NodeView view() {
		String running = (this.port > 0) ? "up" : "starting";
		return new NodeView(this.name, this.port, this.process.pid(), isGone() ? "ended" : running);
	}

}
