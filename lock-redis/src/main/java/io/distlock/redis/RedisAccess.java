package io.distlock.redis;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.redis.client.BlockingCommands;
import io.distlock.redis.client.BlockingSubscription;
import io.distlock.redis.client.Borrowing;
import io.distlock.redis.client.JedisReplicaConnection;
import io.distlock.redis.client.LettuceCommands;
import io.distlock.redis.client.LettuceLinks;
import io.distlock.redis.client.LettuceReplicaConnection;
import io.distlock.redis.client.LettuceSubscription;
import io.distlock.redis.client.PooledReplicaConnection;
import io.distlock.redis.client.RedisCommands;
import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.client.Workers;
import io.distlock.redis.protocol.KeyCodec;
import io.distlock.redis.protocol.PushMessages;
import io.distlock.spi.StoreListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
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

	/** Few, as the pool is the application's, and has eight by default. */
	private static final int POOLED_REPLICA_CONNECTIONS = 2;

	private static final boolean LETTUCE = ClassUtils.isPresent("io.lettuce.core.RedisClient",
			RedisAccess.class.getClassLoader());

	/** Begins to listen, and to connect. */
	interface Opener {

		/**
		 * Opens the access of a store that starts.
		 * @param instance id of the engine
		 * @param keys names of the keys
		 * @param listener told of messages
		 */
		RedisAccess open(String instance, KeyCodec keys, StoreListener listener);

	}

	static RedisAccess open(RedisConnectionFactory factory, RedisLockStoreSettings settings, KeyCodec keys,
			String instance, StoreListener listener) {
		String channel = channels(settings) + instance;
		PushMessages messages = new PushMessages(instance, keys, listener, settings.replicas().isOff());
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
		RedisCommands confirmed = settings.replicas().isOff() ? commands : new ReplicatedCommands(commands,
				pooledConnections(factory), settings, POOLED_REPLICA_CONNECTIONS, true);
		return new RedisAccess(confirmed, () -> {
		}, () -> {
			subscription.close();
			confirmed.close();
		});
	}

	/** Connections on which to wait for replicas. */
	static ReplicaConnection.Opener replicaConnections(RedisConnectionFactory factory, RedisLockStoreSettings settings,
			Executor connector) {
		return (LETTUCE && Lettuce.suits(factory))
				? Lettuce.connections(new LettuceLinks((LettuceConnectionFactory) factory), settings, connector)
				: pooledConnections(factory);
	}

	private static ReplicaConnection.Opener pooledConnections(RedisConnectionFactory factory) {
		return () -> {
			RedisConnection connection = factory.getConnection();
			return Borrowing.forEachCommand(connection) ? JedisReplicaConnection.open(connection)
					: new PooledReplicaConnection(connection);
		};
	}

	/** For those who do not queue, and so wait for no message. */
	static RedisAccess openWithoutMessages(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		if (LETTUCE && Lettuce.suits(factory)) {
			return Lettuce.openWithoutMessages(factory, settings);
		}
		BlockingCommands commands = new BlockingCommands(factory, settings.commandTimeout());
		return new RedisAccess(commands, () -> {
		}, commands::close);
	}

	/** Whether the servers are a Cluster; asks none of them. */
	static boolean isCluster(RedisConnectionFactory factory) {
		return (LETTUCE && Lettuce.suits(factory)) ? Lettuce.isCluster(factory) : BlockingCommands.isCluster(factory);
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

		/** A hold-up of the replicas holds up as many acquisitions, and nothing else. */
		private static final int REPLICA_CONNECTIONS = 8;

		private Lettuce() {
		}

		static ReplicaConnection.Opener connections(LettuceLinks links, RedisLockStoreSettings settings,
				Executor connector) {
			return () -> LettuceReplicaConnection.open(links, connector, settings.commandTimeout());
		}

		static boolean suits(RedisConnectionFactory factory) {
			return factory instanceof LettuceConnectionFactory;
		}

		static boolean isCluster(RedisConnectionFactory factory) {
			return ((LettuceConnectionFactory) factory).isClusterAware();
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
			RedisCommands confirmed = settings.replicas().isOff() ? commands : new ReplicatedCommands(commands,
					connections(links, settings, connector), settings, REPLICA_CONNECTIONS, false);
			return new RedisAccess(confirmed, subscription::ensure, () -> {
				await(subscription.close(), commands.closeAsync());
				confirmed.close();
				connector.shutdown();
			});
		}

		static RedisAccess openWithoutMessages(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
			LettuceLinks links = new LettuceLinks((LettuceConnectionFactory) factory);
			ThreadPoolExecutor connector = Workers.start(CONNECTORS);
			LettuceCommands commands = new LettuceCommands(links::open, links::server, connector,
					settings.commandTimeout(), () -> {
					});
			return new RedisAccess(commands, () -> {
			}, () -> {
				await(commands.closeAsync());
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
