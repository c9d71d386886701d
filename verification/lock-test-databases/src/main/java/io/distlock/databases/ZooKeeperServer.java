package io.distlock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;

import io.distlock.test.redis.FreePort;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;

/**
 * A ZooKeeper in this process. Modules that start one have {@code curator-test} among
 * their dependencies, so that the others do not.
 */
public final class ZooKeeperServer implements AutoCloseable {

	private static final Duration USUAL_TICK = Duration.ofSeconds(2);

	private final TestingServer server;

	private ZooKeeperServer(TestingServer server) {
		this.server = server;
	}

	/**
	 * Starts a server with the usual tick.
	 * @return the running server
	 */
	public static ZooKeeperServer start() {
		return start(USUAL_TICK);
	}

	/**
	 * Starts a server. Sessions may be long, so that a busy machine ends none.
	 * @param tick two of them are the shortest session
	 * @return the running server
	 */
	public static ZooKeeperServer start(Duration tick) {
		return start(tick, Duration.ofMinutes(10));
	}

	/**
	 * Starts a server. It does not wait until what it writes is on the disk, because
	 * tests end processes and not the machine.
	 * @param tick two of them are the shortest session
	 * @param longestSession what it shortens longer sessions to
	 * @return the running server
	 */
	public static ZooKeeperServer start(Duration tick, Duration longestSession) {
		try {
			return new ZooKeeperServer(new TestingServer(
					new InstanceSpec(null, FreePort.find(ServerProcess.HOST), -1, -1, true, -1, (int) tick.toMillis(),
							1000,
							Map.of("maxSessionTimeout", Long.toString(longestSession.toMillis()), "forceSync", "no")),
					true));
		}
		catch (Exception ex) {
			throw new IllegalStateException("ZooKeeper does not start", ex);
		}
	}

	/**
	 * Returns the address.
	 * @return host and port
	 */
	public String address() {
		return this.server.getConnectString();
	}

	/**
	 * Returns the port.
	 * @return the port
	 */
	public int port() {
		return this.server.getPort();
	}

	/** Stops the server; its data stay. */
	public void stop() {
		try {
			this.server.stop();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Starts the server again, with its data. */
	public void restart() {
		try {
			this.server.restart();
		}
		catch (Exception ex) {
			throw new IllegalStateException("ZooKeeper does not start again", ex);
		}
	}

	@Override
	public void close() {
		try {
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
