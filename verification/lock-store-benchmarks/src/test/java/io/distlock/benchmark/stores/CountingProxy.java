package io.distlock.benchmark.stores;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Passes bytes on, and counts how often a client asks after it was answered. */
final class CountingProxy implements AutoCloseable {

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicLong turns = new AtomicLong();

	private final ServerSocket server;

	private final int target;

	CountingProxy(int target) throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.target = target;
		start(this::accept);
	}

	int port() {
		return this.server.getLocalPort();
	}

	long turns() {
		return this.turns.get();
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "proxy");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket near = this.server.accept();
				Socket far = new Socket(InetAddress.getLoopbackAddress(), this.target);
				near.setTcpNoDelay(true);
				far.setTcpNoDelay(true);
				this.sockets.addAll(Set.of(near, far));
				AtomicLong answers = new AtomicLong(1);
				start(() -> pump(near, far, () -> this.turns.addAndGet(answers.getAndSet(0))));
				start(() -> pump(far, near, () -> answers.set(1)));
			}
			catch (IOException ex) {
				// Closed.
			}
		}
	}

	private static void pump(Socket from, Socket to, Runnable seen) {
		byte[] bytes = new byte[65_536];
		try (from; to) {
			for (int n = from.getInputStream().read(bytes); n >= 0; n = from.getInputStream().read(bytes)) {
				seen.run();
				to.getOutputStream().write(bytes, 0, n);
			}
		}
		catch (IOException ex) {
			// One of the sides has closed it.
		}
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

}
