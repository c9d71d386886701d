package io.distlock.redis.lettuce;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.redis.client.RedisClient;
import io.distlock.redis.client.ReplicatedCommands;
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

	private final RedisWorkers connector;

	private final LettuceCommands commands;

	private final @Nullable LettuceSubscription subscription;

	private final @Nullable ReplicatedCommands replicated;

	private final @Nullable LettuceSentinels sentinels;

	private final MasterTags tags;

	/**
	 * Creates a client.
	 * @param connector the threads that open connections; closed with the client
	 * @param commands runs scripts
	 * @param subscription receives messages, or {@code null} for none
	 * @param replicated runs scripts that replicas must confirm, or {@code null} if none
	 * must
	 * @param sentinels watches the master, or {@code null} without Sentinel
	 * @param tags which keys are on the same master
	 */
	LettuceClient(RedisWorkers connector, LettuceCommands commands, @Nullable LettuceSubscription subscription,
			@Nullable ReplicatedCommands replicated, @Nullable LettuceSentinels sentinels, MasterTags tags) {
		this.connector = connector;
		this.commands = commands;
		this.subscription = subscription;
		this.replicated = replicated;
		this.sentinels = sentinels;
		this.tags = tags;
	}

	@Override
	public RedisCommands commands() {
		return (this.replicated != null) ? this.replicated : this.commands;
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
	 * Waits briefly for connections to close. The application's client stops next; it
	 * would log complaints about open connections and close them again.
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
		this.connector.shutdown();
	}

	private static void await(CompletionStage<Void> closed) {
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
