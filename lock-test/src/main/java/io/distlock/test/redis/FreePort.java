package io.distlock.test.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Asks the kernel for ports that nobody uses at the moment. */
final class FreePort {

	/** How far the port of the cluster bus is from that of the commands. */
	private static final int BUS_DISTANCE = 10_000;

	private static final int MAX_PORT = 65_535;

	private static final int ATTEMPTS = 200;

	private FreePort() {
	}

	static int find(String host) {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host))) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("No free port on " + host, ex);
		}
	}

	/** A port whose companion for the cluster bus exists and is free as well. */
	static int findWithBus(String host) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			int port = find(host);
			if (port + BUS_DISTANCE <= MAX_PORT && isFree(host, port + BUS_DISTANCE)) {
				return port;
			}
		}
		throw new IllegalStateException("No free pair of ports for a cluster node on " + host);
	}

	private static boolean isFree(String host, int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(host))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
