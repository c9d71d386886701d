package io.distlock.redis.pooled;

import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

import io.distlock.LockStoreException;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisCommands;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Runs scripts with any client of Spring Data Redis, on threads of the store, because
 * Jedis has no asynchronous commands.
 */
final class BlockingCommands implements RedisCommands {

	private static final String BUSY = "No thread was free in time to send a command to Redis: it hangs, or answers "
			+ "too slowly";

	private static final String INTERRUPTED = "The thread was interrupted while it waited for the answer of Redis";

	/** How many commands run at a time on one server. */
	private static final int THREADS = 4;

	/** How many commands run at a time in a Cluster. */
	private static final int LANES = 32;

	private final RedisConnectionFactory factory;

	private final ScriptExecutor connections;

	private final ClientSettings settings;

	/**
	 * How long a command may wait for a thread; longer until one command was executed.
	 */
	private volatile Duration patience;

	private final List<RedisWorkers> lanes;

	/** Why callers do not send commands themselves; empty if they do. */
	private final Optional<String> whyNotByCallers;

	private volatile boolean closed;

	private interface Command {

		List<Object> run(ScriptExecutor connections);

	}

	/**
	 * Creates the commands.
	 * @param factory opens connections
	 * @param settings how long a command may wait for a thread
	 */
	BlockingCommands(RedisConnectionFactory factory, ClientSettings settings) {
		this.factory = factory;
		this.settings = settings;
		this.patience = settings.firstPatience();
		this.lanes = isCluster(factory) ? Stream.generate(() -> new RedisWorkers(1)).limit(LANES).toList()
				: List.of(new RedisWorkers(THREADS));
		this.whyNotByCallers = BoundedClient.objection(factory, settings.commandTimeout());
		this.connections = (factory instanceof Dedicated dedicated) ? new DedicatedConnections(dedicated.openPool())
				: new PooledConnections(factory);
	}

	/** Returns why callers do not send commands themselves; empty if they do. */
	Optional<String> whyNotByCallers() {
		return this.whyNotByCallers;
	}

	@Override
	public RedisCommands by(CallingThread caller) {
		return (this.whyNotByCallers.isPresent() || caller == CallingThread.NONE) ? this : new OfCaller(caller);
	}

	/** Returns how many commands run at a time. */
	int threads() {
		return (this.lanes.size() == 1) ? THREADS : LANES;
	}

	@Override
	public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
		submit(arguments.words()[0], answer, byDigest(script, arguments));
	}

	@Override
	public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
		submit(arguments.words()[0], answer, byText(script, arguments));
	}

	private static Command byDigest(LockScript script, ScriptArguments arguments) {
		return (connections) -> connections.run(script, true, arguments);
	}

	private static Command byText(LockScript script, ScriptArguments arguments) {
		return (connections) -> connections.run(script, false, arguments);
	}

	@Override
	public String server() {
		return ServerDescription.of(this.factory);
	}

	@Override
	public void close() {
		this.closed = true;
		this.lanes.forEach(RedisWorkers::shutdown);
		this.connections.close();
	}

	private void submit(byte[] key, Answer answer, Command command) {
		lane(key).submit(this.patience, BUSY, () -> run(command)).whenComplete(answer::ended);
	}

	/** Publishes a message, on a thread of the commands. */
	CompletionStage<?> publish(String channel, String message) {
		byte[] to = channel.getBytes(StandardCharsets.UTF_8);
		byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
		return lane(to).submit(this.patience, BUSY, () -> {
			this.connections.publish(to, bytes);
			return true;
		});
	}

	/**
	 * Returns the threads for a key. A Cluster has one lane for each range of slots,
	 * because each master serves ranges of slots. The client hangs for seconds on a
	 * master that is away, and only the locks of that master should wait.
	 */
	private RedisWorkers lane(byte[] key) {
		int size = this.lanes.size();
		return (size == 1) ? this.lanes.get(0)
				: this.lanes.get(ClusterSlotHashUtil.calculateSlot(key) * size / ClusterSlotHashUtil.SLOT_COUNT);
	}

	static boolean isCluster(RedisConnectionFactory factory) {
		try (RedisConnection connection = factory.getClusterConnection()) {
			return true;
		}
		catch (RuntimeException ex) {
			// Each kind of factory throws a different exception if there is no Cluster.
			return false;
		}
	}

	private List<Object> run(Command command) {
		List<Object> reply = command.run(this.connections);
		if (this.patience != this.settings.commandTimeout()) {
			this.patience = this.settings.commandTimeout();
		}
		return reply;
	}

	/** Sends commands on the thread of a caller, if the caller accepts that. */
	private final class OfCaller implements RedisCommands {

		private final CallingThread caller;

		private OfCaller(CallingThread caller) {
			this.caller = caller;
		}

		@Override
		public void evalSha(LockScript script, ScriptArguments arguments, Answer answer) {
			send(arguments.words()[0], answer, byDigest(script, arguments));
		}

		@Override
		public void eval(LockScript script, ScriptArguments arguments, Answer answer) {
			send(arguments.words()[0], answer, byText(script, arguments));
		}

		private void send(byte[] key, Answer answer, Command command) {
			if (!this.caller.offer(() -> run(answer, command))) {
				submit(key, answer, command);
			}
		}

		private void run(Answer answer, Command command) {
			List<Object> reply;
			try {
				if (BlockingCommands.this.closed) {
					throw LockStoreException.notRunning("Redis lock store");
				}
				reply = BlockingCommands.this.run(command);
			}
			catch (Throwable ex) {
				restoreInterrupt(ex);
				answer.ended(null, isClosedByInterrupt(ex) ? interrupted(ex) : ex);
				return;
			}
			answer.ended(reply, null);
		}

		/**
		 * Returns whether an interrupt closed the connection: on a virtual thread it
		 * closes the socket.
		 */
		private static boolean isClosedByInterrupt(Throwable failure) {
			if (Thread.currentThread().isInterrupted()) {
				for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
					if (cause instanceof SocketException) {
						return true;
					}
				}
			}
			return false;
		}

		private static TransientStoreException interrupted(Throwable failure) {
			Throwable interrupt = new InterruptedException(INTERRUPTED).initCause(failure);
			return new TransientStoreException("", INTERRUPTED, interrupt);
		}

		/**
		 * Restores the interrupt flag, which a pool clears if the interrupt came while it
		 * waited.
		 */
		private static void restoreInterrupt(Throwable failure) {
			for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
				if (cause instanceof InterruptedException) {
					Thread.currentThread().interrupt();
				}
			}
		}

		@Override
		public String server() {
			return BlockingCommands.this.server();
		}

		@Override
		public void close() {
			BlockingCommands.this.close();
		}

	}

}
