package io.distlock.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A connection that can be cut without either side noticing, and that counts how often
 * the direction changes.
 */
final class Link implements AutoCloseable {

	private final ReentrantLock monitor = new ReentrantLock();

	private final Condition restored = this.monitor.newCondition();

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final AtomicLong turns = new AtomicLong();

	private final AtomicLong connections = new AtomicLong();

	private final ServerSocket server;

	private final int target;

	private boolean cut;

	private volatile boolean answered = true;

	private Link(ServerSocket server, int target) {
		this.server = server;
		this.target = target;
	}

	static Link to(int target) {
		try {
			Link link = new Link(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), target);
			link.start(link::accept);
			return link;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int port() {
		return this.server.getLocalPort();
	}

	/** How often something was sent to the target after something had come from it. */
	long turns() {
		return this.turns.get();
	}

	/** How often a client has connected. */
	long connections() {
		return this.connections.get();
	}

	/** Holds back all bytes from now on. */
	void cut() {
		setCut(true);
	}

	/** Lets all bytes go on, also those held back. */
	void restore() {
		setCut(false);
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

	private void start(Runnable task) {
		Thread thread = new Thread(task, "link");
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		while (!this.server.isClosed()) {
			try {
				Socket near = this.server.accept();
				this.connections.incrementAndGet();
				this.sockets.add(near);
				Socket far = new Socket(InetAddress.getLoopbackAddress(), this.target);
				this.sockets.add(far);
				near.setTcpNoDelay(true);
				far.setTcpNoDelay(true);
				start(() -> pump(near, far, true));
				start(() -> pump(far, near, false));
			}
			catch (IOException ex) {
				// The target is down, or this link is closed: the next connection may do.
				closeAll();
			}
		}
	}

	private void pump(Socket from, Socket to, boolean request) {
		byte[] bytes = new byte[8192];
		try {
			for (int n = from.getInputStream().read(bytes); n >= 0; n = from.getInputStream().read(bytes)) {
				awaitRestored();
				if (request && this.answered) {
					this.turns.incrementAndGet();
				}
				this.answered = !request;
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
			this.server.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		restore();
		closeAll();
	}

}
