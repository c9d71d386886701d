package io.distlock.databases;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A way to a server of this machine. It can be cut without either side noticing, and led
 * to another server, and it counts how often a client waits for an answer.
 */
public final class Wire implements AutoCloseable {

	private final ReentrantLock monitor = new ReentrantLock();

	private final Condition restored = this.monitor.newCondition();

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicLong turns = new AtomicLong();

	private final AtomicLong connections = new AtomicLong();

	private final ServerSocket door;

	private volatile int target;

	private boolean cut;

	/**
	 * Opens a way.
	 * @param target the port of the server
	 */
	public Wire(int target) {
		this.target = target;
		try {
			this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		start(this::accept);
	}

	/**
	 * Returns the port for clients.
	 * @return the port
	 */
	public int port() {
		return this.door.getLocalPort();
	}

	/**
	 * Returns how often a client has sent something after it had its last answer.
	 * @return the number of round trips
	 */
	public long turns() {
		return this.turns.get();
	}

	/**
	 * Returns how often a client has connected.
	 * @return the number of connections, also those that have ended
	 */
	public long connections() {
		return this.connections.get();
	}

	/** Holds back all bytes from now on. */
	public void cut() {
		setCut(true);
	}

	/** Lets all bytes go on, also those held back. */
	public void restore() {
		setCut(false);
	}

	/**
	 * Closes all connections. New ones lead to another server.
	 * @param port the port of that server
	 */
	public void to(int port) {
		this.target = port;
		closeAll();
	}

	private void setCut(boolean value) {
		this.monitor.lock();
		try {
			this.cut = value;
			this.restored.signalAll();
		}
		finally {
			this.monitor.unlock();
		}
	}

	private void awaitRestored() {
		this.monitor.lock();
		try {
			while (this.cut) {
				this.restored.awaitUninterruptibly();
			}
		}
		finally {
			this.monitor.unlock();
		}
	}

	private static void start(Runnable task) {
		Thread thread = new Thread(task, "wire");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		while (!this.door.isClosed()) {
			try {
				Socket near = this.door.accept();
				this.connections.incrementAndGet();
				start(() -> connect(near));
			}
			catch (IOException ex) {
				// Closed.
			}
		}
	}

	private void connect(Socket near) {
		int chosen = this.target;
		this.sockets.add(near);
		try {
			Socket far = new Socket(InetAddress.getLoopbackAddress(), chosen);
			this.sockets.add(far);
			near.setTcpNoDelay(true);
			far.setTcpNoDelay(true);
			AtomicBoolean answered = new AtomicBoolean(true);
			start(() -> pump(far, near, () -> answered.set(true)));
			// One that connected during a change would stay with the former server.
			if (chosen == this.target) {
				pump(near, far, () -> {
					if (answered.getAndSet(false)) {
						this.turns.incrementAndGet();
					}
				});
			}
			close(far);
		}
		catch (IOException ex) {
			// The server is down, which the client finds out.
		}
		close(near);
	}

	private void pump(Socket from, Socket to, Runnable passed) {
		byte[] bytes = new byte[65_536];
		try {
			for (int n = from.getInputStream().read(bytes); n >= 0; n = from.getInputStream().read(bytes)) {
				awaitRestored();
				passed.run();
				to.getOutputStream().write(bytes, 0, n);
			}
		}
		catch (IOException ex) {
			// One of the sides has closed it.
		}
		close(from);
		close(to);
	}

	private void close(Socket socket) {
		this.sockets.remove(socket);
		try {
			socket.close();
		}
		catch (IOException ex) {
			// Nothing to be done.
		}
	}

	private void closeAll() {
		this.sockets.forEach(this::close);
	}

	@Override
	public void close() {
		try {
			this.door.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		restore();
		closeAll();
	}

}
