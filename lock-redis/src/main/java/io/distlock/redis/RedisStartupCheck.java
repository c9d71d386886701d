package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.client.ServerInfo;
import io.distlock.redis.client.Workers;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.RedisFailure;

/**
 * Checks whether a server can keep locks: the scripts run, the user has all rights that
 * they need, the version is recent enough, and memory pressure does not evict locks.
 * Leaves two keys, which expire within minutes.
 * <p>
 * The rights: {@code ~<prefix>* &<prefix>ch:* +hello +auth +ping +client|setname
 * +evalsha +eval +hmget +hget +hset +hdel +hgetall +hlen +exists +pexpire +pttl +time
 * +publish +subscribe +unsubscribe}, with a quarantine {@code +get +set} as well, with a
 * failover delay {@code +get +set +info}, with replicas that must confirm {@code +wait};
 * with {@code +info} the check includes the server's settings. A server that was not used
 * with a quarantine before begins one here.
 */
public final class RedisStartupCheck {

	private static final int ATTEMPTS = 3;

	private final RedisConnectionFactory factory;

	private final RedisLockStoreSettings settings;

	private final KeyCodec names;

	/**
	 * One thread however often the check is repeated: a connection without timeouts may
	 * keep it for ever.
	 */
	private final Workers worker = new Workers(1);

	/** The latest question whose caller gave up before the answer. */
	private volatile CompletableFuture<?> late = CompletableFuture.completedFuture(null);

	/** Result of the check. */
	public sealed interface Result {

		/** The server can keep locks. */
		record Passed() implements Result {
		}

		/**
		 * Acquisitions would fail, or locks could get lost.
		 *
		 * @param problems one sentence for each problem, with what to do
		 */
		record Problems(List<String> problems) implements Result {

			/**
			 * Copies the list.
			 * @param problems the problems
			 */
			public Problems {
				problems = List.copyOf(problems);
			}

		}

		/**
		 * The server did not answer, so nothing is known.
		 *
		 * @param message what happened, a sentence
		 * @param cause what the client reported, or {@code null} if it took too long
		 */
		record Unreachable(String message, @Nullable Throwable cause) implements Result {
		}

	}

	/**
	 * Creates a check.
	 * @param factory the application's connection factory
	 * @param settings the settings of the store
	 */
	public RedisStartupCheck(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		this.factory = factory;
		this.settings = settings;
		this.names = settings.names();
	}

	/**
	 * Runs the check; blocks for at most five command timeouts. While a former call still
	 * waits for the server, nothing is sent, and the server counts as one that does not
	 * answer.
	 * @return the result
	 */
	public Result run() {
		Duration limit = this.settings.commandTimeout().multipliedBy(5);
		try {
			return within(limit, this::checkOrAskAgain);
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
	}

	private <T> T within(Duration limit, Supplier<T> question)
			throws InterruptedException, ExecutionException, TimeoutException {
		if (!this.late.isDone()) {
			throw new TimeoutException();
		}
		CompletableFuture<T> answer = CompletableFuture.supplyAsync(question, this.worker);
		try {
			return answer.get(limit.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException | TimeoutException ex) {
			this.late = answer;
			throw ex;
		}
	}

	/**
	 * Names the server that answers now: another server, and the same one started anew,
	 * has another name. Blocks for at most two command timeouts, and not at all while a
	 * former call still waits for the server.
	 * @return the id of its process, of a Cluster those of all nodes; empty if it does
	 * not answer, or the user may not run INFO
	 */
	public Optional<String> server() {
		Duration limit = this.settings.commandTimeout().multipliedBy(2);
		try {
			return within(limit, this::runIds);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Optional.empty();
		}
		catch (TimeoutException | ExecutionException ex) {
			return Optional.empty();
		}
	}

	/**
	 * Describes the server that is checked, for messages; asks no server.
	 * @return a phrase such as {@code Redis at localhost:6379}, without user and password
	 */
	public String place() {
		return ServerDescription.of(this.factory);
	}

	private Optional<String> runIds() {
		try (RedisConnection connection = this.factory.getConnection()) {
			List<String> ids = ServerProbe.values(new ServerInfo(connection).section("server"), "run_id");
			return ids.isEmpty() ? Optional.empty() : Optional.of(String.join(",", ids));
		}
	}

	/**
	 * A client that fails to log in may report the end of its connection instead of the
	 * server's refusal, whichever it notices first: Lettuce closes the connection before
	 * it reports. Only the refusal says what to do, so a quick failure is asked for
	 * again.
	 */
	private Result checkOrAskAgain() {
		long until = System.nanoTime() + this.settings.commandTimeout().toNanos();
		Result result = check();
		for (int attempt = 1; attempt < ATTEMPTS && result instanceof Result.Unreachable
				&& System.nanoTime() - until < 0; attempt++) {
			result = check();
		}
		return result;
	}

	private Result check() {
		try (RedisConnection connection = this.factory.getConnection()) {
			boolean replicated = this.settings.replicas() > 0;
			Quarantine quarantine = this.settings.quarantineOf(this.names);
			boolean single = !quarantine.isOff() && !quarantine.isAfterFailover();
			if (single && connection instanceof RedisClusterConnection) {
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

	private static Result failed(RuntimeException ex) {
		return RedisFailure.of(ex).passing() ? new Result.Unreachable(RedisFailure.describe(ex), ex)
				: new Result.Problems(List.of(RedisFailure.describe(ex)));
	}

	private List<String> replicaProblems() {
		Workers connector = new Workers(1);
		try {
			return new ReplicaProbe(
					ClientFactory.of(this.factory).replicaConnections(this.settings.client(), connector), this.settings,
					probe(), channel())
				.problems();
		}
		finally {
			connector.shutdown();
		}
	}

	private byte[] probe() {
		return (this.settings.keyPrefix() + "probe:" + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8);
	}

	private byte[] channel() {
		return (this.names.channels() + "probe").getBytes(StandardCharsets.UTF_8);
	}

}
