package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;

import io.distlock.redis.RedisLockStoreSettings.Replicas;
import io.distlock.redis.client.RedisCommands;
import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.client.Workers;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lock that was taken or renewed counts only once enough replicas have it. Those
 * commands have connections of their own, each blocked until the replicas answer; a
 * thread waits for each. All others take the usual way and are not held up.
 */
final class ReplicatedCommands implements RedisCommands {

	private static final Logger logger = LoggerFactory.getLogger(ReplicatedCommands.class);

	private final RedisCommands others;

	private final ReplicaConnection.Opener opener;

	private final Replicas replicas;

	private final Duration patience;

	private final ThreadPoolExecutor workers;

	private final ConcurrentLinkedDeque<ReplicaConnection> idle = new ConcurrentLinkedDeque<>();

	private final boolean pooled;

	private volatile boolean closed;

	private record Call(LockScript script, boolean byDigest, List<String> keys, List<String> arguments) {
	}

	/**
	 * Creates the commands; connects with the first one.
	 * @param others runs what needs no confirmation
	 * @param opener opens connections
	 * @param settings how many replicas, and how long to wait
	 * @param connections how many commands wait at a time
	 * @param pooled whether the client keeps connections open that are closed here
	 */
	ReplicatedCommands(RedisCommands others, ReplicaConnection.Opener opener, RedisLockStoreSettings settings,
			int connections, boolean pooled) {
		this.others = others;
		this.opener = opener;
		this.replicas = settings.replicas();
		this.patience = settings.commandTimeout();
		this.workers = Workers.start(connections);
		this.pooled = pooled;
	}

	@Override
	public CompletableFuture<List<Object>> evalSha(LockScript script, List<String> keys, List<String> arguments) {
		return takesTime(script) ? submit(new Call(script, true, keys, arguments))
				: this.others.evalSha(script, keys, arguments);
	}

	@Override
	public CompletableFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments) {
		return takesTime(script) ? submit(new Call(script, false, keys, arguments))
				: this.others.eval(script, keys, arguments);
	}

	@Override
	public String server() {
		return this.others.server();
	}

	@Override
	public void close() {
		this.closed = true;
		this.workers.shutdown();
		closeIdle();
		this.others.close();
	}

	private static boolean takesTime(LockScript script) {
		return script == LockScript.ACQUIRE || script == LockScript.RENEW;
	}

	private CompletableFuture<List<Object>> submit(Call call) {
		CompletableFuture<List<Object>> result = new CompletableFuture<>();
		long submitted = System.nanoTime();
		try {
			this.workers.execute(() -> {
				if (System.nanoTime() - submitted > this.patience.toNanos()) {
					result.completeExceptionally(busy());
				}
				else {
					run(call, result);
				}
			});
		}
		catch (RejectedExecutionException ex) {
			result.completeExceptionally(busy());
		}
		return result;
	}

	private void run(Call call, CompletableFuture<List<Object>> result) {
		ReplicaConnection connection = null;
		List<Object> reply;
		try {
			connection = connection();
			reply = run(call, connection);
		}
		catch (Throwable ex) {
			giveBack(connection, RedisFailure.of(ex) == RedisFailure.NO_SCRIPT);
			result.completeExceptionally(ex);
			return;
		}
		giveBack(connection, true);
		result.complete(reply);
	}

	private List<Object> run(Call call, ReplicaConnection connection) {
		List<Object> reply = connection.run(call.script(), call.byDigest(), call.keys(), call.arguments());
		if (Replies.code(reply) == Replies.HELD) {
			long confirmed = connection.awaitReplicas(this.replicas.required(), this.replicas.timeout());
			if (confirmed < this.replicas.required()) {
				throw new NotReplicatedException(confirmed, this.replicas);
			}
		}
		return reply;
	}

	private ReplicaConnection connection() {
		for (ReplicaConnection free = this.idle.pollFirst(); free != null; free = this.idle.pollFirst()) {
			if (free.isSound()) {
				return free;
			}
			close(free);
		}
		return this.opener.open();
	}

	private void giveBack(@Nullable ReplicaConnection connection, boolean sound) {
		if (connection == null) {
			return;
		}
		if (sound && !this.pooled) {
			this.idle.addFirst(connection);
			if (this.closed) {
				closeIdle();
			}
		}
		else {
			close(connection);
		}
	}

	private void closeIdle() {
		for (ReplicaConnection each = this.idle.poll(); each != null; each = this.idle.poll()) {
			close(each);
		}
	}

	/** Whoever waits for an answer is to get it, be it that the client complains. */
	private static void close(ReplicaConnection connection) {
		try {
			connection.close();
		}
		catch (RuntimeException ex) {
			logger.debug("A connection on which replicas confirm did not close in good order", ex);
		}
	}

	private static TransientStoreException busy() {
		return new TransientStoreException("",
				"No connection was free in time: replicas of Redis take too long to confirm, or Redis hangs", null);
	}

	/** A script ran, but a failover would lose what it wrote. */
	static final class NotReplicatedException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		NotReplicatedException(long confirmed, Replicas replicas) {
			super("NOTREPLICATED " + confirmed + " of " + replicas.required() + " replicas confirmed within "
					+ replicas.timeout().toMillis() + " ms");
		}

	}

}
