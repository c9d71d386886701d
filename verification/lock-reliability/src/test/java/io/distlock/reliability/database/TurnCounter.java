package io.distlock.reliability.database;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that counts how often a client waits for the server's answer. */
final class TurnCounter implements AutoCloseable {

	private final AtomicInteger turns = new AtomicInteger();

	private final ServerSocket door;

	private final int server;

	TurnCounter(int server) throws IOException {
		this.server = server;
		this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	int port() {
		return this.door.getLocalPort();
	}

	int turns() {
		return this.turns.get();
	}

	private void accept() {
		while (!this.door.isClosed()) {
			try {
				Socket client = this.door.accept();
				Socket far = new Socket(InetAddress.getLoopbackAddress(), this.server);
				client.setTcpNoDelay(true);
				far.setTcpNoDelay(true);
				AtomicBoolean answered = new AtomicBoolean(true);
				start(() -> pump(client, far, () -> {
					if (answered.getAndSet(false)) {
						this.turns.incrementAndGet();
					}
				}));
				start(() -> pump(far, client, () -> answered.set(true)));
			}
			catch (IOException ex) {
				// Closed.
			}
		}
	}

	private static void pump(Socket from, Socket to, Runnable passed) {
		byte[] buffer = new byte[65_536];
		try (from; to) {
			InputStream in = from.getInputStream();
			OutputStream out = to.getOutputStream();
			for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
				passed.run();
				out.write(buffer, 0, length);
			}
		}
		catch (IOException ex) {
			// One side is gone, and with it the other one.
		}
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "turn-counter");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.door.close();
	}

}
