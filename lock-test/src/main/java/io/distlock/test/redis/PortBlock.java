package io.distlock.test.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;

/**
 * Consecutive ports of which one process alone chooses. Its guard, a socket that listens
 * on the first of them, keeps other processes away until this one ends, however it ends.
 */
final class PortBlock {

	private static final int FIRST_PORT = 12_000;

	/** That of the cluster bus is below those of clients as well. */
	private static final int LAST_PORT = 22_000;

	/** With the guard. */
	static final int SIZE = 100;

	private static final int BLOCKS = (LAST_PORT - FIRST_PORT) / SIZE;

	private final ServerSocket guard;

	private final AtomicInteger next = new AtomicInteger(ThreadLocalRandom.current().nextInt(SIZE));

	private PortBlock(ServerSocket guard) {
		this.guard = guard;
	}

	/** Takes a block that no other process has. */
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

	/** Returns the next port that is free, one after the other. */
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
