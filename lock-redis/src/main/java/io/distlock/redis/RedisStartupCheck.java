package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.redis.client.CheckClient;
import io.distlock.redis.client.ServerDescription;
import io.distlock.redis.client.ServerProbe;
import io.distlock.redis.connect.ClientFactories;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.Quarantine;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.spi.StoreCheckResult;
import io.distlock.support.BoundedCall;

/**
 * Checks whether a server can keep locks. The scripts must run, the user must have all
 * rights that they need, and the version must be recent enough. Memory pressure must not
 * evict locks. The check leaves two keys, which expire within minutes.
 * <p>
 * The rights: {@code ~<prefix>* &<prefix>ch:* +hello +auth +ping +client|setname
 * +evalsha +eval +hmget +hget +hset +hdel +hgetall +hlen +exists +pexpire +pttl +time
 * +publish +subscribe +unsubscribe}, with a quarantine {@code +get +set} as well, with a
 * failover delay {@code +get +set +info}; with {@code +info} the check includes the
 * server's settings. A server that was not used with a quarantine before begins one here.
 */
public final class RedisStartupCheck {

	private static final int ATTEMPTS = 3;

	private final RedisConnectionFactory factory;

	private final RedisLockStoreSettings settings;

	private final KeyCodec names;

	private volatile Silence silence = new Silence(System.nanoTime(), Duration.ZERO);

	/**
	 * The time without an answer.
	 *
	 * @param since when the server answered, or when the check began
	 * @param longest how long the next answer may take
	 */
	private record Silence(long since, Duration longest) {

		long left() {
			return this.since + this.longest.toNanos() - System.nanoTime();
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
	 * Runs the check; blocks until it has ended, or the server has not answered for five
	 * command timeouts. Until there is a connection, the connect timeout is added. The
	 * clients that connect for the first time in a process take much of a busy machine's
	 * time, which is no fault of the server. When this method returns, its thread has
	 * ended or is interrupted.
	 * @return the result
	 */
	public StoreCheckResult run() {
		this.silence = new Silence(System.nanoTime(), longest().plus(this.settings.connectTimeout()));
		try {
			return BoundedCall.<StoreCheckResult>run("distributed-lock-redis-check", () -> this.silence.left(),
					(answer) -> answer.complete(checkOrAskAgain()));
		}
		catch (TimeoutException ex) {
			return new StoreCheckResult.Unreachable(
					"Redis did not answer within " + this.silence.longest().toMillis() + " ms" + perhapsNoTls(), null);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new StoreCheckResult.Unreachable("The check of Redis was interrupted", ex);
		}
		catch (ExecutionException ex) {
			return new StoreCheckResult.Unreachable("The check of Redis failed", ex.getCause());
		}
	}

	private Duration longest() {
		return this.settings.commandTimeout().multipliedBy(5);
	}

	private void answered() {
		this.silence = new Silence(System.nanoTime(), longest());
	}

	/**
	 * Describes the checked server, for messages; asks no server.
	 * @return a phrase such as {@code Redis at localhost:6379}, without user and password
	 */
	public String place() {
		return ServerDescription.of(this.factory);
	}

	/**
	 * Runs the check, and repeats it after a fast failure. A client that fails to log in
	 * may report the end of its connection instead of the server's refusal, because
	 * Lettuce closes the connection first. Only the refusal tells what to do.
	 */
	private StoreCheckResult checkOrAskAgain() {
		long until = System.nanoTime() + this.settings.commandTimeout().toNanos();
		StoreCheckResult result = check();
		for (int attempt = 1; attempt < ATTEMPTS && result instanceof StoreCheckResult.Unreachable
				&& System.nanoTime() - until < 0; attempt++) {
			result = check();
		}
		return result;
	}

	private StoreCheckResult check() {
		try (CheckClient client = ClientFactories.of(this.factory).openCheck(this.settings.client())) {
			answered();
			Quarantine quarantine = this.settings.quarantineOf(this.names);
			boolean single = !quarantine.isOff() && !quarantine.isAfterFailover();
			if (single && client.isCluster()) {
				return new StoreCheckResult.Problems(List.of(Quarantine.IMPOSSIBLE));
			}
			List<String> problems = new ArrayList<>(
					new RightsProbe(client.commands(), probe(), channel(), quarantine, this.names, this::answered)
						.missing());
			if (problems.isEmpty()) {
				problems.addAll(new ScriptProbe(client.scripts(), probe(), channel(), this::answered).failures());
			}
			problems.addAll(new ServerProbe(client.commands()).problems());
			return problems.isEmpty() ? new StoreCheckResult.Passed() : new StoreCheckResult.Problems(problems);
		}
		catch (RuntimeException ex) {
			return failed(ex);
		}
	}

	private StoreCheckResult failed(RuntimeException ex) {
		String description = RedisFailure.describe(ex);
		RedisFailure failure = RedisFailure.of(ex);
		if (failure == RedisFailure.REFUSED_LOGIN || failure == RedisFailure.NO_DATABASE) {
			return new StoreCheckResult.Refused(List.of(description));
		}
		if (!failure.passing()) {
			return new StoreCheckResult.Problems(List.of(description));
		}
		if (failure == RedisFailure.OTHER_ROLE && ServerDescription.readsFromReplicas(this.factory)) {
			return new StoreCheckResult.Problems(List
				.of("Locks connect to the configured server, which is a replica: set "
						+ "distributed-lock.redis.url to the address of its primary, or connect the application to it ("
						+ RedisFailure.detail(ex) + ")"));
		}
		return new StoreCheckResult.Unreachable(description + ((failure == RedisFailure.NO_ANSWER) ? hint(ex) : ""),
				ex);
	}

	/**
	 * Returns a hint: a server with TLS ends the connection of a client that uses none.
	 */
	private String hint(RuntimeException failure) {
		return !ServerDescription.isSecured(this.factory) && RedisFailure.isEndOfConnection(failure)
				? ". If the server expects TLS at this address, write rediss:// or set spring.data.redis.ssl.enabled=true. "
						+ "If it is not Redis, check host and port"
				: perhapsNoTls();
	}

	/** Returns a hint: a server without TLS does not answer a client that uses TLS. */
	private String perhapsNoTls() {
		return ServerDescription.isSecured(this.factory)
				? ". If it does not speak TLS at this address, check the port, spring.data.redis.ssl.* and rediss://"
				: "";
	}

	private byte[] probe() {
		return (this.settings.keyPrefix() + "probe:" + UUID.randomUUID()).getBytes(StandardCharsets.UTF_8);
	}

	private byte[] channel() {
		return (this.names.channels() + "probe").getBytes(StandardCharsets.UTF_8);
	}

}
