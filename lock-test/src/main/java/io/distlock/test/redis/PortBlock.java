package io.distlock.test.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * A block of consecutive ports that only one process uses. A socket listens on the first
 * port as a guard. It keeps other processes away until this process ends, however it
 * ends.
 */
final class PortBlock {

	private static final int FIRST_PORT = 12_000;

	/** The port of the cluster bus is then below those of clients too. */
	private static final int LAST_PORT = 22_000;

	/** The number of ports, with that of the guard. */
	static final int SIZE = 100;

	private static final int BLOCKS = (LAST_PORT - FIRST_PORT) / SIZE;

	private final ServerSocket guard;

	private final AtomicInteger next = new AtomicInteger(ThreadLocalRandom.current().nextInt(SIZE));

	private PortBlock(ServerSocket guard) {
		this.guard = guard;
	}

	/** Reserves a block that no other process has. */
	static PortBlock reserve() {
		int begin = ThreadLocalRandom.current().nextInt(BLOCKS);
		for (int i = 0; i < BLOCKS; i++) {
			try {
				int first = FIRST_PORT + (begin + i) % BLOCKS * SIZE;
				return new PortBlock(new ServerSocket(first, 1, InetAddress.getLoopbackAddress()));
			}
			catch (IOException ex) {
				// Another process or server has taken this port.
			}
		}
		throw new IllegalStateException(
				"No free ports from " + FIRST_PORT + " to " + LAST_PORT + ": " + BLOCKS + " processes have taken them");
	}

	/** Returns the next free port, one after the other. */
	int find(IntPredicate free) {
		int first = this.guard.getLocalPort() + 1;
		for (int i = 1; i < SIZE; i++) {
			int port = first + Math.floorMod(this.next.getAndIncrement(), SIZE - 1);
			if (free.test(port)) {
				return port;
			}
		}
		throw new IllegalStateException("No free port from " + first + " to " + (first + SIZE - 2));
	}

	void release() throws IOException {
		this.guard.close();
	}

}
