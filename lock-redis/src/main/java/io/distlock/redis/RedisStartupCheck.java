package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.redis.client.Workers;
import io.distlock.redis.protocol.RedisFailure;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Finds out whether a server can keep locks: the scripts run, the user has all rights
 * they need, the version is recent enough, and memory pressure does not take locks away.
 * Leaves nothing behind but two keys that expire within minutes.
 * <p>
 * The rights: {@code ~<prefix>* &<prefix>ch:* +hello +auth +ping +client|setname
 * +evalsha +eval +hmget +hget +hset +hdel +hgetall +hlen +exists +pexpire +pttl +time
 * +publish +subscribe +unsubscribe}, with a quarantine {@code +get +set} as well, with
 * replicas that must confirm {@code +wait}; with {@code +info} the server's settings are
 * checked too. A server that has not been used with a quarantine begins one here.
 */
public final class RedisStartupCheck {

	private final RedisConnectionFactory factory;

	private final RedisLockStoreSettings settings;

	/** What the check found. */
	public sealed interface Result {

		/** The server can keep locks. */
		record Passed() implements Result {
		}

		/**
		 * Locks would fail, or could get lost.
		 *
		 * @param problems sentences that say what is wrong and what to do
		 */
		record Problems(List<String> problems) implements Result {

			/** Copies the list. */
			public Problems {
				problems = List.copyOf(problems);
			}

		}

		/**
		 * Nothing is known, because the server did not answer.
		 *
		 * @param message a sentence
		 * @param cause what the client reported, or {@code null} if it took too long
		 */
		record Unreachable(String message, @Nullable Throwable cause) implements Result {
		}

	}

	/**
	 * Creates a check.
	 * @param factory where connections come from
	 * @param settings those of the store
	 */
	public RedisStartupCheck(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		this.factory = factory;
		this.settings = settings;
	}

	/**
	 * Runs the check; blocks, at most five command timeouts.
	 * @return what it found
	 */
	public Result run() {
		Duration limit = this.settings.commandTimeout().multipliedBy(5);
		ThreadPoolExecutor worker = Workers.start(1);
		try {
			return CompletableFuture.supplyAsync(this::check, worker).get(limit.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (TimeoutException ex) {
			return new Result.Unreachable("Redis did not answer within " + limit.toMillis() + " ms", null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new Result.Unreachable("The check of Redis was interrupted", ex);
		}
		catch (ExecutionException ex) {
			return new Result.Unreachable("The check of Redis failed", ex.getCause());
		}
		finally {
			worker.shutdown();
		}
	}

	private Result check() {
		try (RedisConnection connection = this.factory.getConnection()) {
			boolean replicated = !this.settings.replicas().isOff();
			Quarantine quarantine = new Quarantine(this.settings);
			if (!quarantine.isOff() && connection instanceof RedisClusterConnection) {
				return new Result.Problems(List.of(Quarantine.IMPOSSIBLE));
			}
			if (replicated && connection instanceof RedisClusterConnection) {
				return new Result.Problems(List.of(ReplicaProbe.IMPOSSIBLE));
			}
			List<String> problems = new ArrayList<>(
					new RightsProbe(connection, probe(), channel(), quarantine).missing());
			if (problems.isEmpty()) {
				problems.addAll(new ScriptProbe(connection, probe(), channel()).failures());
			}
			if (replicated && problems.isEmpty()) {
				problems.addAll(replicaProblems());
			}
			problems.addAll(new ServerProbe(connection).problems());
			return problems.isEmpty() ? new Result.Passed() : new Result.Problems(problems);
		}
		catch (RuntimeException ex) {
			return failed(ex);
		}
	}

	/** What it means that a client threw something. */
	public static Result failed(RuntimeException ex) {
		RedisFailure failure = RedisFailure.of(ex);
		return failure.passing() ? new Result.Unreachable(failure.sentence() + ": " + RedisFailure.detail(ex), ex)
				: new Result.Problems(List.of(failure.sentence() + ": " + RedisFailure.detail(ex)));
	}

	private List<String> replicaProblems() {
		ThreadPoolExecutor connector = Workers.start(1);
		try {
			return new ReplicaProbe(RedisAccess.replicaConnections(this.factory, this.settings, connector),
					this.settings.replicas(), probe(), channel())
				.problems();
		}
		finally {
			connector.shutdown();
		}
	}

	private byte[] probe() {
		return (this.settings.prefix() + "probe:" + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8);
	}

	private byte[] channel() {
		return (RedisAccess.channels(this.settings) + "probe").getBytes(StandardCharsets.UTF_8);
	}

}
