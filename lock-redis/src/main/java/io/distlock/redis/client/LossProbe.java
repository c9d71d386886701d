package io.distlock.redis.client;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RenewResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Looks for the reason when the server no longer knows holds: whoever changes its policy
 * of eviction after the startup check makes it drop locks. It asks at most once a minute,
 * on a daemon thread.
 */
public final class LossProbe {

	private static final Logger logger = LoggerFactory.getLogger(LossProbe.class);

	private static final long INTERVAL_NANOS = TimeUnit.MINUTES.toNanos(1);

	private final RedisConnectionFactory factory;

	private final LongSupplier nanoTime;

	private final AtomicLong next;

	/**
	 * Creates a probe that has not asked yet.
	 * @param factory connects to the server
	 * @param nanoTime the monotonic clock
	 */
	public LossProbe(RedisConnectionFactory factory, LongSupplier nanoTime) {
		this.factory = factory;
		this.nanoTime = nanoTime;
		this.next = new AtomicLong(nanoTime.getAsLong());
	}

	/**
	 * Watches a command that renews or ends a hold.
	 * @param <T> its result
	 * @param command the command
	 * @param onLoss runs when the server no longer knows the hold, and nobody says why
	 * @return the command
	 */
	public static <T> CompletionStage<T> watched(CompletionStage<T> command, Runnable onLoss) {
		command.whenComplete((result, failure) -> {
			if (result == FinishResult.UNKNOWN || (result instanceof RenewResult.Gone gone && !gone.forced())) {
				onLoss.run();
			}
		});
		return command;
	}

	/** Asks the server, unless it was asked within the last minute; does not block. */
	public void lost() {
		long due = this.next.get();
		long now = this.nanoTime.getAsLong();
		if (now - due >= 0 && this.next.compareAndSet(due, now + INTERVAL_NANOS)) {
			Thread thread = new Thread(this::ask, "distributed-lock-redis-loss");
			thread.setDaemon(true);
			thread.start();
		}
	}

	private void ask() {
		try (RedisConnection connection = Connections.of(this.factory)) {
			List<String> problems = new ServerProbe(new ConnectionCommands(connection)).problems();
			if (!problems.isEmpty()) {
				logger.warn("{} no longer knew a lock that this process renewed or ended. A possible reason: {}",
						ServerDescription.of(this.factory), String.join("; ", problems));
			}
		}
		catch (RuntimeException ex) {
			logger.debug("Why a lock was gone from the server cannot be asked", ex);
		}
	}

}
