package io.distlock.reliability.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An address that always leads to the server that is the primary at the moment. */
final class Switch implements AutoCloseable {

	private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

	private final ServerSocket door;

	private volatile int target;

	Switch(int target) throws IOException {
		this.target = target;
		this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	int port() {
		return this.door.getLocalPort();
	}

	/** Cuts all connections; new ones lead to another server. */
	void to(int port) {
		this.target = port;
		this.sockets.forEach(Switch::close);
	}

	private void accept() {
		while (!this.door.isClosed()) {
			try {
				Socket client = this.door.accept();
				this.sockets.add(client);
				start(() -> connect(client));
			}
			catch (IOException ex) {
				// Closed.
			}
		}
	}

	private void connect(Socket client) {
		int chosen = this.target;
		try {
			Socket server = new Socket(InetAddress.getLoopbackAddress(), chosen);
			this.sockets.add(server);
			client.setTcpNoDelay(true);
			server.setTcpNoDelay(true);
			start(() -> pump(server, client));
			// One that connected during the change would stay with the former server.
			if (chosen == this.target) {
				pump(client, server);
			}
			end(server);
		}
		catch (IOException ex) {
			// The server is away, which the client finds out.
		}
		end(client);
	}

	private void pump(Socket from, Socket to) {
		try {
			from.getInputStream().transferTo(to.getOutputStream());
		}
		catch (IOException ex) {
			// One side is gone, and with it the other one.
		}
		end(from);
		end(to);
	}

	private void end(Socket socket) {
		this.sockets.remove(socket);
		close(socket);
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			// Nothing to be done.
		}
	}

	private static void start(Runnable work) {
		Thread thread = new Thread(work, "switch");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public void close() throws IOException {
		this.door.close();
		this.sockets.forEach(Switch::close);
	}

}
