package io.distlock.redis.pooled;

import java.util.Optional;
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
import io.distlock.redis.protocol.RedisCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Opens clients that block, on connections of the application's pool. */
public final class PooledClientFactory implements ClientFactory {

	private static final Logger logger = LoggerFactory.getLogger(PooledClientFactory.class);

	/**
	 * A small number, because the pool belongs to the application, and has eight
	 * connections by default.
	 */
	private static final int REPLICA_CONNECTIONS = 2;

	private final RedisConnectionFactory factory;

	public PooledClientFactory(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public boolean isCluster() {
		return BlockingCommands.isCluster(this.factory);
	}

	@Override
	public RedisClient open(ClientSettings settings, String channel, GrantMessages messages) {
		BlockingCommands commands = new BlockingCommands(this.factory, settings);
		logger.info("{}. Callers {}", resources(commands),
				whyNotByCallers(commands, settings).map((why) -> "do not send commands themselves: " + why)
					.orElse("send commands themselves"));
		PooledMessages subscription = new PooledMessages(this.factory, channel, messages,
				(message) -> commands.publish(channel, message));
		RedisCommands confirmed = !settings.isReplicated() ? commands : new ReplicatedCommands(commands,
				replicaConnections(settings, Runnable::run), settings, REPLICA_CONNECTIONS, true);
		return new PooledClient(confirmed, tags(), subscription::ensure, subscription::close);
	}

	private String resources(BlockingCommands commands) {
		int threads = commands.threads() + 1;
		return (this.factory instanceof DedicatedServer)
				? "Locks use Jedis: up to " + threads + " threads, and up to " + DedicatedServer.CONNECTIONS
						+ " connections of their own"
				: this.factory.getClass().getSimpleName() + " has no asynchronous commands: locks use up to " + threads
						+ " threads, and connections of its pool" + betterClient();
	}

	/**
	 * Names what suits a user of another client, who may not know that there is a choice.
	 */
	private String betterClient() {
		return BoundedClient.isKnown(this.factory) ? ""
				: ". With distributed-lock.redis.url locks connect by themselves, with Lettuce or Jedis";
	}

	private static Optional<String> whyNotByCallers(BlockingCommands commands, ClientSettings settings) {
		return settings.isReplicated() ? Optional.of("replicas must confirm, on connections that stay open")
				: commands.whyNotByCallers();
	}

	private MasterTags tags() {
		return isCluster() ? new ClusterTags(this.factory, new RedisWorkers(1)) : MasterTags.NONE;
	}

	@Override
	public RedisClient openWithoutMessages(ClientSettings settings) {
		return new PooledClient(new BlockingCommands(this.factory, settings), MasterTags.NONE, () -> {
		}, () -> {
		});
	}

	@Override
	public ReplicaConnection.Opener replicaConnections(ClientSettings settings, Executor connector) {
		return (late) -> {
			RedisConnection connection = (this.factory instanceof DedicatedServer server) ? server.prompt()
					: this.factory.getConnection();
			return PooledPerCommand.isTrueOf(connection) ? JedisReplicaConnection.open(connection)
					: new PooledReplicaConnection(connection);
		};
	}

	/**
	 * Runs commands on threads, and listens on one more thread while the client is open.
	 *
	 * @param commands runs scripts
	 * @param tags which keys are on the same master
	 * @param ensure looks whether the subscription still works
	 * @param unsubscribe ends the subscription
	 */
	private record PooledClient(RedisCommands commands, MasterTags tags, Runnable ensure,
			Runnable unsubscribe) implements RedisClient {

		@Override
		public void ensureSubscribed() {
			this.ensure.run();
		}

		@Override
		public void close() {
			this.unsubscribe.run();
			this.commands.close();
		}

	}

}
