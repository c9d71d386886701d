package io.distlock.reliability.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The network between workers and a server, and what it does to them. A connection that
 * subscribes carries messages, any other one commands; each kind has delays of its own.
 */
public final class FaultProxy implements AutoCloseable {

	private final ServerSocket socket;

	private final String host;

	private final int port;

	private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();

	private final Queue<Injury> injuries = new ConcurrentLinkedQueue<>();

	private final AtomicLong injured = new AtomicLong();

	private final Replayer replayer;

	private volatile long requestDelay;

	private volatile long replyDelay;

	private volatile long messageDelay;

	private volatile boolean dropsRequests;

	private volatile boolean dropsReplies;

	private volatile boolean refuses;

	/** What can happen to a connection just when the server has answered a command. */
	public enum Injury {

		/** The reply is lost and the connection reset. */
		LOSE_REPLY,

		/** Half of the reply arrives, then a reset. */
		HALF_REPLY,

		/** The client learns that nothing more will come; its own direction stays. */
		HALF_CLOSE

	}

	/** Listens on a free port for a server. */
	public FaultProxy(String host, int port) {
		try {
			this.socket = new ServerSocket(0, 100, InetAddress.getByName("127.0.0.1"));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.host = host;
		this.port = port;
		this.replayer = new Replayer(host, port);
		daemon(this::accept, "proxy");
	}

	/** Where it listens. */
	public int port() {
		return this.socket.getLocalPort();
	}

	/** Delays commands. */
	public void delayRequests(Duration delay) {
		this.requestDelay = delay.toNanos();
	}

	/** Delays replies of commands, not messages. */
	public void delayReplies(Duration delay) {
		this.replyDelay = delay.toNanos();
	}

	/** Delays messages, not replies of commands. */
	public void delayMessages(Duration delay) {
		this.messageDelay = delay.toNanos();
	}

	/** Copies each script call, to be sent once more, up to so much later. */
	public void replay(Duration atMost) {
		this.replayer.within(atMost);
	}

	/** How many script calls were sent once more. */
	public long replayed() {
		return this.replayer.sent();
	}

	/** One of the next replies meets with an injury. */
	public void injure(Injury injury) {
		this.injuries.add(injury);
	}

	/** How many replies have met with one. */
	public long injured() {
		return this.injured.get();
	}

	/** A black hole for one direction or both. */
	public void drop(boolean requests, boolean replies) {
		this.dropsRequests = requests;
		this.dropsReplies = replies;
	}

	/** Resets all connections, and refuses new ones until {@link #heal()}. */
	public void partition() {
		this.refuses = true;
		reset();
	}

	/** Resets all connections. */
	public void reset() {
		this.connections.forEach(ProxiedConnection::reset);
	}

	/** All is well again. What lost bytes is reset. */
	public void heal() {
		this.refuses = false;
		this.injuries.clear();
		this.replayer.within(Duration.ZERO);
		delayRequests(Duration.ZERO);
		delayReplies(Duration.ZERO);
		delayMessages(Duration.ZERO);
		drop(false, false);
		this.connections.stream().filter(ProxiedConnection::lacksBytes).forEach(ProxiedConnection::reset);
	}

	long delay(boolean request, boolean messages) {
		if (request) {
			return this.requestDelay;
		}
		return messages ? this.messageDelay : this.replyDelay;
	}

	boolean drops(boolean request) {
		return request ? this.dropsRequests : this.dropsReplies;
	}

	Injury nextInjury() {
		Injury injury = this.injuries.poll();
		if (injury != null) {
			this.injured.incrementAndGet();
		}
		return injury;
	}

	Replayer replayer() {
		return this.replayer;
	}

	void closed(ProxiedConnection connection) {
		this.connections.remove(connection);
	}

	static void daemon(Runnable body, String name) {
		Thread thread = new Thread(body, name);
		thread.setDaemon(true);
		thread.start();
	}

	private void accept() {
		while (!this.socket.isClosed()) {
			try {
				Socket client = this.socket.accept();
				if (this.refuses) {
					client.close();
					continue;
				}
				connect(client);
			}
			catch (IOException ex) {
				// Closed, or the server is away, which is for the client to find out.
			}
		}
	}

	private void connect(Socket client) throws IOException {
		try {
			ProxiedConnection connection = new ProxiedConnection(this, client, new Socket(this.host, this.port));
			this.connections.add(connection);
			connection.start();
		}
		catch (IOException ex) {
			client.close();
			throw ex;
		}
	}

	@Override
	public void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.replayer.close();
		reset();
	}

}
