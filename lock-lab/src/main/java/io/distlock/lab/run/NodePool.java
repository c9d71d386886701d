package io.distlock.lab.run;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.lab.jvm.NodeJvm;
import io.distlock.lab.node.LabNode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The processes of the lab. Those of a run that is over wait for the next one. A process
 * may connect only if it knows the secret that it was started with.
 */
final class NodePool implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(NodePool.class);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	private static final int HEAP_MEGABYTES = 160;

	private final Class<?> application;

	private final String secret = UUID.randomUUID().toString();

	private final Deque<NodeLink> idle = new ArrayDeque<>();

	private final Map<Integer, CompletableFuture<Arrival>> expected = new ConcurrentHashMap<>();

	private @Nullable ServerSocket server;

	private int started;

	NodePool(Class<?> application) {
		this.application = application;
	}

	/**
	 * Returns nodes that are ready, after starting those that are missing. Waits for them
	 * outside of the monitor, so that {@link #close()} does not wait.
	 */
	List<NodeLink> take(int number) {
		List<NodeLink> nodes = takeIdle(number);
		List<Starting> starting = new ArrayList<>();
		try {
			for (int i = nodes.size(); i < number; i++) {
				starting.add(start());
			}
			for (Starting each : starting) {
				nodes.add(each.await());
			}
			return nodes;
		}
		catch (RuntimeException ex) {
			starting.forEach((each) -> each.process().close());
			nodes.forEach(NodeLink::close);
			throw ex;
		}
	}

	private synchronized List<NodeLink> takeIdle(int number) {
		List<NodeLink> nodes = new ArrayList<>();
		while (nodes.size() < number && !this.idle.isEmpty()) {
			NodeLink node = this.idle.pop();
			if (node.process().isAlive()) {
				nodes.add(node);
			}
			else {
				node.close();
			}
		}
		return nodes;
	}

	/** Keeps a node for the next run. */
	synchronized void giveBack(NodeLink node) {
		node.receiver(null);
		if (node.process().isAlive()) {
			this.idle.push(node);
		}
		else {
			node.close();
		}
	}

	private synchronized Starting start() {
		int number = ++this.started;
		CompletableFuture<Arrival> arrival = new CompletableFuture<>();
		this.expected.put(number, arrival);
		NodeJvm process = NodeJvm.start(this.application, "lab node " + number, HEAP_MEGABYTES,
				List.of("--lab.node=" + number, "--lab.director=" + port()), Map.of(LabNode.SECRET, this.secret),
				(line) -> logger.info("Lab node {}: {}", number, line));
		return new Starting(process, arrival);
	}

	private int port() {
		ServerSocket running = this.server;
		if (running == null) {
			try {
				running = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
			}
			catch (IOException ex) {
				throw new UncheckedIOException("The director of the lab cannot listen", ex);
			}
			this.server = running;
			ServerSocket accepting = running;
			Thread thread = new Thread(() -> accept(accepting), "lab nodes");
			thread.setDaemon(true);
			thread.start();
		}
		return running.getLocalPort();
	}

	private void accept(ServerSocket accepting) {
		while (!accepting.isClosed()) {
			try {
				Socket socket = accepting.accept();
				socket.setSoTimeout((int) PATIENCE.toMillis());
				socket.setTcpNoDelay(true);
				DataInputStream in = NodeLink.input(socket);
				boolean known = MessageDigest.isEqual(in.readUTF().getBytes(UTF_8), this.secret.getBytes(UTF_8));
				CompletableFuture<Arrival> arrival = known ? this.expected.remove(in.readInt()) : null;
				if (arrival == null) {
					socket.close();
					continue;
				}
				socket.setSoTimeout(0);
				arrival.complete(new Arrival(socket, in));
			}
			catch (IOException ex) {
				logger.debug("A connection to the lab failed", ex);
			}
		}
	}

	@Override
	public synchronized void close() {
		this.idle.forEach(NodeLink::close);
		this.idle.clear();
		this.expected.values()
			.forEach((arrival) -> arrival.completeExceptionally(new IllegalStateException("The lab closes")));
		ServerSocket running = this.server;
		if (running != null) {
			try {
				running.close();
			}
			catch (IOException ex) {
				logger.debug("The lab could not stop to listen", ex);
			}
		}
	}

	private record Arrival(Socket socket, DataInputStream in) {
	}

	private record Starting(NodeJvm process, CompletableFuture<Arrival> arrival) {

		NodeLink await() {
			try {
				Arrival arrived = this.arrival.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
				return new NodeLink(this.process, arrived.socket(), arrived.in());
			}
			catch (ExecutionException | TimeoutException | IOException ex) {
				throw new IllegalStateException("A node of the lab did not start within " + PATIENCE, ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw new IllegalStateException("Interrupted while a node of the lab starts", ex);
			}
		}

	}

}
