package io.distlock.redis.lettuce;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.distlock.redis.client.ApplicationCheck;
import io.distlock.redis.client.CheckClient;
import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.client.ClusterTags;
import io.distlock.redis.client.Connections;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.lettuce.LettuceLinks.Link;
import io.distlock.redis.protocol.MasterTags;
import io.distlock.redis.protocol.GrantMessages;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Opens asynchronous clients. Loaded only if Lettuce is on the class path. */
public final class LettuceClientFactory implements ClientFactory {

	/** Enough threads, even if attempts to connect were given up and still hang. */
	private static final int CONNECTORS = 32;

	private final LettuceConnectionFactory factory;

	private LettuceClientFactory(LettuceConnectionFactory factory) {
		this.factory = factory;
	}

	public static boolean suits(RedisConnectionFactory factory) {
		return factory instanceof LettuceConnectionFactory;
	}

	public static ClientFactory of(RedisConnectionFactory factory) {
		return new LettuceClientFactory((LettuceConnectionFactory) factory);
	}

	@Override
	public boolean isCluster() {
		return this.factory.isClusterAware();
	}

	@Override
	public RedisClient open(ClientSettings settings, String channel, GrantMessages messages) {
		RedisWorkers connector = new RedisWorkers(CONNECTORS);
		LettuceMove move = new LettuceMove(messages);
		LettuceSentinels sentinels = sentinels(settings, move);
		LettuceLinks links = new LettuceLinks(this.factory, sentinels);
		LettuceSubscription subscription = new LettuceSubscription(links, connector, channel, messages,
				(message) -> move.publish(channel, message));
		LettuceCommands commands = new LettuceCommands(links::open, links::server, connector, settings,
				subscription::renew, messages::failedOver);
		move.of(commands, subscription);
		if (sentinels != null) {
			sentinels.start();
		}
		return new LettuceClient(connector, commands, subscription, sentinels, tags(connector));
	}

	private @Nullable LettuceSentinels sentinels(ClientSettings settings, Runnable changed) {
		RedisSentinelConfiguration configuration = this.factory.getSentinelConfiguration();
		NamedNode master = (configuration != null) ? configuration.getMaster() : null;
		return (master != null && master.getName() != null)
				? new LettuceSentinels(this.factory, master.getName(), settings.commandTimeout(), changed) : null;
	}

	private MasterTags tags(RedisWorkers connector) {
		return isCluster() ? new ClusterTags(this.factory, connector) : MasterTags.NONE;
	}

	@Override
	public RedisClient openWithoutMessages(ClientSettings settings) {
		LettuceLinks links = new LettuceLinks(this.factory);
		RedisWorkers connector = new RedisWorkers(CONNECTORS);
		LettuceCommands commands = new LettuceCommands(links::open, links::server, connector, settings, () -> {
		}, () -> {
		});
		return new LettuceClient(connector, commands, null, null, MasterTags.NONE);
	}

	/** In a Cluster only a connection of the application asks all nodes. */
	@Override
	public CheckClient openCheck(ClientSettings settings) {
		if (isCluster()) {
			return new ApplicationCheck(Connections.of(this.factory), () -> openWithoutMessages(settings));
		}
		LettuceLinks links = new LettuceLinks(this.factory);
		return new LettuceCheck(opened(links), links.server());
	}

	/**
	 * Opens a connection on a thread that nobody interrupts. If the caller is
	 * interrupted, the client would forget a connection that opens later, and it would
	 * stay open.
	 */
	private static Link opened(LettuceLinks links) {
		CompletableFuture<Link> opening = CompletableFuture.supplyAsync(links::open, (task) -> {
			Thread thread = new Thread(task, "distributed-lock-redis-check-connect");
			thread.setDaemon(true);
			thread.start();
		});
		try {
			return opening.get();
		}
		catch (InterruptedException ex) {
			opening.thenAccept((late) -> late.connection().closeAsync());
			Thread.currentThread().interrupt();
			throw new CompletionException(ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException failure) ? failure
					: new CompletionException(ex.getCause());
		}
	}

}
