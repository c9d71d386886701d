package io.distlock.test.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/**
 * Finds ports that are unused at the moment, below those that the kernel chooses for
 * clients. No connection therefore takes a port before the server listens on it, or while
 * the server is stopped for a restart.
 */
public final class FreePort {

	/** How far the port of the cluster bus is from that of the commands. */
	private static final int BUS_DISTANCE = 10_000;

	private static final PortBlock BLOCK = PortBlock.reserve();

	private FreePort() {
	}

	/**
	 * Finds a port on which a server may listen. This JVM has a hundred ports for itself,
	 * and returns a port again only when it has returned all others. Neither another JVM
	 * that uses this class nor another call therefore takes the port before the server
	 * listens on it.
	 * @param host the name or address on which the server will listen
	 * @return a port from 12,000 to 21,999
	 * @throws IllegalStateException if there is no free port
	 */
	public static int find(String host) {
		return BLOCK.find((port) -> isFree(host, port));
	}

	/** Finds a port whose companion for the cluster bus is free too. */
	static int findWithBus(String host) {
		return BLOCK.find((port) -> isFree(host, port) && isFree(host, port + BUS_DISTANCE));
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
