package io.distlock.test.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that nobody uses at the moment, below those that the kernel chooses for
 * clients: no connection takes one before the server listens on it, or while the server
 * is stopped to be started again.
 */
public final class FreePort {

	/** How far the port of the cluster bus is from that of the commands. */
	private static final int BUS_DISTANCE = 10_000;

	private static final int FIRST_PORT = 12_000;

	/** That of the bus is below those of clients as well. */
	private static final int LAST_PORT = 22_000;

	private static final int ATTEMPTS = 1000;

	private FreePort() {
	}

	/**
	 * Finds a port on which a server may listen. Two calls may return the same one, and
	 * another process may take it before the server does: both are rare, since the port
	 * is one of 10,000 that is chosen at random.
	 * @param host the name or address on which the server will listen
	 * @return a port from 12,000 to 21,999
	 * @throws IllegalStateException if 1,000 attempts find none
	 */
	public static int find(String host) {
		return find(host, 0);
	}

	/** A port whose companion for the cluster bus is free as well. */
	static int findWithBus(String host) {
		return find(host, BUS_DISTANCE);
	}

	private static int find(String host, int distance) {
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
			if (isFree(host, port) && isFree(host, port + distance)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port on " + host + " from " + FIRST_PORT + " to " + LAST_PORT);
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
