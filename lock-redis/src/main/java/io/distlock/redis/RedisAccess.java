package io.distlock.redis;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.spi.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * How a started store reaches the server, and the server the store.
 *
 * @param commands runs scripts
 * @param subscribe makes sure that messages come; cheap enough for every command
 * @param close ends both
 */
record RedisAccess(RedisCommands commands, Runnable subscribe, Runnable close) {

	private static final Logger logger = LoggerFactory.getLogger(RedisAccess.class);

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			RedisAccess.class.getClassLoader());

	/** Begins to listen, and to connect. */
	interface Opener {

		/**
		 * Opens the access of a store that starts.
		 * @param instance id of the engine
		 * @param listener told of messages
		 */
		RedisAccess open(String instance, StoreListener listener);

	}

	static RedisAccess open(RedisConnectionFactory factory, RedisLockStoreSettings settings, String instance,
			StoreListener listener) {
		String channel = channels(settings) + instance;
		PushMessages messages = new PushMessages(instance, new KeyCodec(settings.prefix()), listener);
		return (LETTUCE && Lettuce.suits(factory)) ? Lettuce.open(factory, settings, channel, messages)
				: blocking(factory, settings, channel, messages);
	}

	private static RedisAccess blocking(RedisConnectionFactory factory, RedisLockStoreSettings settings, String channel,
			PushMessages messages) {
		BlockingCommands commands = new BlockingCommands(factory, settings.commandTimeout());
		logger.info("{} has no asynchronous commands: locks take up to {} threads, and connections of its pool",
				factory.getClass().getSimpleName(), commands.threads() + 1);
		BlockingSubscription subscription = new BlockingSubscription(factory, channel, messages);
		subscription.start();
		return new RedisAccess(commands, () -> {
		}, () -> {
			subscription.close();
			commands.close();
		});
	}

	/** What the channels of all instances begin with. */
	static String channels(RedisLockStoreSettings settings) {
		return settings.prefix() + "ch:";
	}

	/** Loaded only where Lettuce is on the class path. */
	private static final class Lettuce {

		private static final long CLOSE_MILLIS = 500;

		/** Enough for attempts that are given up and still hang. */
		private static final int CONNECTORS = 32;

		private Lettuce() {
		}

		static boolean suits(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory;
		}

		static RedisAccess open(RedisConnectionFactory factory, RedisLockStoreSettings settings, String channel,
				PushMessages messages) {
			LettuceLinks links = new LettuceLinks((LettuceConnectionFactory) factory);
			ThreadPoolExecutor connector = Workers.start(CONNECTORS);
			LettuceSubscription subscription = new LettuceSubscription(links, connector, channel, messages);
			LettuceCommands commands = new LettuceCommands(() -> {
				LettuceLinks.Link link = links.open();
				// Listening before asking, or else the first grant may be missed.
				subscription.awaitFirstAttempt(settings.commandTimeout());
				return link;
			}, links::server, connector, settings.commandTimeout(), subscription::renew);
			subscription.ensure();
			return new RedisAccess(commands, subscription::ensure, () -> {
				await(subscription.close(), commands.closeAsync());
				connector.shutdown();
			});
		}

		/**
		 * Or else the client, which stops next, closes the connections again and
		 * complains.
		 */
		private static void await(CompletionStage<?>... closed) {
			for (CompletionStage<?> each : closed) {
				try {
					each.toCompletableFuture().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				catch (ExecutionException | TimeoutException ex) {
					logger.debug("A connection to {} did not close in good order", each, ex);
				}
			}
		}

	}

}
