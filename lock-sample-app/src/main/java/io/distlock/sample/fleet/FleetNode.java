package io.distlock.sample.fleet;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.sample.jvm.NodeJvm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node as the main process sees it. A process that served and ended is replaced, at
 * first soon and then ever more slowly, until one serves again. One that ends before it
 * ever served is not: it would end again. Safe for use by several threads.
 */
final class FleetNode {

	/** What a node prints when it serves, with its port behind. */
	static final String SERVES = "This node serves on port ";

	private static final Logger logger = LoggerFactory.getLogger(FleetNode.class);

	private static final int HEAP_MEGABYTES = 128;

	private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	private final String name;

	private final Maker maker;

	private final Thread keeper;

	private volatile Running running;

	private volatile int restarts;

	private final CountDownLatch stopped = new CountDownLatch(1);

	FleetNode(Class<?> application, String name, List<String> args, Map<String, String> environment) {
		this(name, (lines) -> NodeJvm.start(application, name, HEAP_MEGABYTES, args, environment, lines));
	}

	private FleetNode(String name, Maker maker) {
		this.name = name;
		this.maker = maker;
		this.running = new Running(name, maker);
		this.keeper = new Thread(this::keep, "keeper of " + name);
		this.keeper.setDaemon(true);
		this.keeper.start();
	}

	private void keep() {
		try {
			this.running.process.awaitEnd();
			if (this.running.port == 0 || this.stopped.getCount() == 0) {
				return;
			}
			while (true) {
				// A shop that closes ends its nodes, and needs no warning.
				if (this.stopped.await(FIRST_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
					return;
				}
				logger.warn("{} (process {}) ended; processes are started until one serves, with pauses of up to {} s",
						this.name, this.running.process.pid(), LONGEST_PAUSE.toSeconds());
				if (!startUntilItServes()) {
					return;
				}
				logger.info("{} serves again on port {} (process {})", this.name, this.running.port,
						this.running.process.pid());
				this.running.process.awaitEnd();
			}
		}
		catch (InterruptedException ex) {
			// The shop closes.
			this.running.process.close();
		}
	}

	/** Returns whether a process serves; otherwise the fleet was stopped. */
	private boolean startUntilItServes() throws InterruptedException {
		Duration pause = FIRST_PAUSE;
		while (true) {
			this.running = new Running(this.name, this.maker);
			if (this.running.awaitServing()) {
				this.restarts++;
				return true;
			}
			if (this.stopped.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
				return false;
			}
			pause = (pause.compareTo(LONGEST_PAUSE.dividedBy(2)) < 0) ? pause.multipliedBy(2) : LONGEST_PAUSE;
		}
	}

	boolean isUp() {
		return this.running.isUp();
	}

	/** Says whether no process serves or is about to. */
	boolean isGone() {
		return !this.running.process.isAlive();
	}

	int port() {
		return this.running.port;
	}

	String name() {
		return this.name;
	}

	void stop() {
		this.stopped.countDown();
		this.keeper.interrupt();
		this.running.process.close();
	}

	NodeView view() {
		Running now = this.running;
		String alive = now.isUp() ? "up" : "starting";
		return new NodeView(this.name, now.port, now.process.pid(), now.process.isAlive() ? alive : "ended",
				this.restarts);
	}

	/** Starts a process. */
	@FunctionalInterface
	private interface Maker {

		NodeJvm start(Consumer<String> lines);

	}

	/** One process of the node. */
	private static final class Running {

		private static final long GLANCE_MILLIS = 50;

		private final String name;

		private final NodeJvm process;

		private final CountDownLatch served = new CountDownLatch(1);

		private volatile int port;

		private Running(String name, Maker maker) {
			this.name = name;
			this.process = maker.start(this::read);
		}

		private void read(String line) {
			if (line.startsWith(SERVES)) {
				this.port = Integer.parseInt(line.substring(SERVES.length()));
				this.served.countDown();
			}
			else if (!line.isBlank()) {
				System.out.println(this.name + ": " + line);
			}
		}

		private boolean isUp() {
			return this.port > 0 && this.process.isAlive();
		}

		private boolean awaitServing() throws InterruptedException {
			while (!this.served.await(GLANCE_MILLIS, TimeUnit.MILLISECONDS) && this.process.isAlive()) {
				// It starts.
			}
			return isUp();
		}

	}

}
