package io.distlock.reliability.rig;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Sends commands once more, later, on a connection of its own: what a client that repeats
 * after a reconnect does, or a network that is late.
 */
final class Replayer implements AutoCloseable {

	private final ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor((body) -> {
		Thread thread = new Thread(body, "replayer");
		thread.setDaemon(true);
		return thread;
	});

	private final AtomicLong sent = new AtomicLong();

	private final String host;

	private final int port;

	private volatile long withinNanos;

	private Socket connection;

	Replayer(String host, int port) {
		this.host = host;
		this.port = port;
	}

	void within(Duration atMost) {
		this.withinNanos = atMost.toNanos();
	}

	long sent() {
		return this.sent.get();
	}

	/** A client has sent this just now. */
	void sent(byte[] request) {
		long within = this.withinNanos;
		if (within > 0) {
			this.later.schedule(() -> send(request), ThreadLocalRandom.current().nextLong(within),
					TimeUnit.NANOSECONDS);
		}
	}

	private void send(byte[] request) {
		try {
			if (this.connection == null) {
				this.connection = new Socket(this.host, this.port);
			}
			this.connection.getOutputStream().write(request);
			this.connection.getInputStream().skipNBytes(Math.max(1, this.connection.getInputStream().available()));
			this.sent.incrementAndGet();
		}
		catch (IOException ex) {
			// The server was restarted.
			this.connection = null;
		}
	}

	@Override
	public void close() {
		this.later.shutdownNow();
	}

}
