package io.distlock.redis.lettuce;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.redis.client.RedisClient;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.protocol.MasterTags;
import io.distlock.redis.protocol.RedisCommands;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands on one connection and receives messages on another; no thread waits for
 * them.
 */
final class LettuceClient implements RedisClient {

	private static final Logger logger = LoggerFactory.getLogger(LettuceClient.class);

	private static final long CLOSE_MILLIS = 500;

	/** A connection that is just opened usually takes less. */
	private static final Duration OPENING = Duration.ofSeconds(2);

	private final RedisWorkers connector;

	private final LettuceCommands commands;

	private final @Nullable LettuceSubscription subscription;

	private final @Nullable LettuceSentinels sentinels;

	private final MasterTags tags;

	/**
	 * Creates a client.
	 * @param connector the threads that open connections; closed with the client
	 * @param commands runs scripts
	 * @param subscription receives messages, or {@code null} for none
	 * @param sentinels watches the master, or {@code null} without Sentinel
	 * @param tags which keys are on the same master
	 */
	LettuceClient(RedisWorkers connector, LettuceCommands commands, @Nullable LettuceSubscription subscription,
			@Nullable LettuceSentinels sentinels, MasterTags tags) {
		this.connector = connector;
		this.commands = commands;
		this.subscription = subscription;
		this.sentinels = sentinels;
		this.tags = tags;
	}

	@Override
	public RedisCommands commands() {
		return this.commands;
	}

	@Override
	public MasterTags tags() {
		return this.tags;
	}

	@Override
	public void ensureSubscribed() {
		if (this.subscription != null) {
			this.subscription.ensure();
		}
	}

	/**
	 * Waits briefly for connections to close, and for those that are just opened. The
	 * application's client stops next; it would log complaints about open connections and
	 * close them again.
	 */
	@Override
	public void close() {
		if (this.sentinels != null) {
			this.sentinels.close();
		}
		CompletionStage<Void> commandsClosed = this.commands.closeAsync();
		if (this.subscription != null) {
			await(this.subscription.close());
		}
		await(commandsClosed);
		commands().close();
		this.connector.shutdown(OPENING);
	}

	/** Waits briefly for a connection to close. */
	static void await(CompletionStage<Void> closed) {
		try {
			closed.toCompletableFuture().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("A connection to Redis did not close in time", ex);
		}
	}

}
