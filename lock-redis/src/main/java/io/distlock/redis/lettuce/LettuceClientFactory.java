package io.distlock.redis.lettuce;

import java.util.concurrent.Executor;

import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.client.ClusterTags;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.client.ReplicatedCommands;
import io.distlock.redis.client.RedisWorkers;
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

	/**
	 * The most acquisitions and renewals that wait for slow replicas at a time. Other
	 * commands do not wait for replicas.
	 */
	private static final int REPLICA_CONNECTIONS = 8;

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
		LettuceCommands commands = new LettuceCommands(() -> {
			LettuceLinks.Link link = links.open();
			// Subscribes before the first command; otherwise the message with its grant
			// may be missed.
			subscription.awaitFirstAttempt(settings.commandTimeout());
			return link;
		}, links::server, connector, settings, subscription::renew, messages::failedOver);
		move.of(commands, subscription);
		if (sentinels != null) {
			sentinels.start();
		}
		subscription.ensure();
		ReplicatedCommands replicated = !settings.isReplicated() ? null : new ReplicatedCommands(commands,
				replicaConnections(settings, connector), settings, REPLICA_CONNECTIONS, false);
		return new LettuceClient(connector, commands, subscription, replicated, sentinels, tags(connector));
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
		return new LettuceClient(connector, commands, null, null, null, MasterTags.NONE);
	}

	@Override
	public ReplicaConnection.Opener replicaConnections(ClientSettings settings, Executor connector) {
		LettuceLinks links = new LettuceLinks(this.factory);
		return (late) -> LettuceReplicaConnection.open(links, connector, settings.commandTimeout(), late);
	}

}
