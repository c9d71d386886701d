package io.distlock.lab.run;

import java.io.IOException;
import java.io.UncheckedIOException;

import io.distlock.test.redis.FreePort;
import org.apache.curator.test.TestingServer;

/** A ZooKeeper in this process. */
final class ZooKeeper implements AutoCloseable {

	private final TestingServer server;

	private ZooKeeper(TestingServer server) {
		this.server = server;
	}

	static ZooKeeper start() {
		try {
			return new ZooKeeper(new TestingServer(FreePort.find("127.0.0.1")));
		}
		catch (Exception ex) {
			throw new IllegalStateException("ZooKeeper could not be started", ex);
		}
	}

	String address() {
		return this.server.getConnectString();
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
