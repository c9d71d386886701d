package io.distlock.redis.pooled;

import io.distlock.redis.client.ApplicationCheck;
import io.distlock.redis.client.CheckClient;
import io.distlock.redis.client.ClientFactory;
import io.distlock.redis.client.ClientSettings;
import io.distlock.redis.client.ClusterTags;
import io.distlock.redis.client.Connections;
import io.distlock.redis.client.RedisClient;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.protocol.MasterTags;
import io.distlock.redis.protocol.GrantMessages;
import io.distlock.redis.protocol.RedisCommands;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Opens clients that block, on connections of the application's pool. */
public final class PooledClientFactory implements ClientFactory {

	private static final Logger logger = LoggerFactory.getLogger(PooledClientFactory.class);

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
				commands.whyNotByCallers()
					.map((why) -> "do not send commands themselves: " + why)
					.orElse("send commands themselves"));
		PooledMessages subscription = new PooledMessages(this.factory, channel, messages,
				(message) -> commands.publish(channel, message));
		return new PooledClient(commands, tags(), subscription::ensure, subscription::close);
	}

	private String resources(BlockingCommands commands) {
		int threads = commands.threads() + 1;
		return (this.factory instanceof Dedicated)
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
	public CheckClient openCheck(ClientSettings settings) {
		return new ApplicationCheck(Connections.of(this.factory), () -> openWithoutMessages(settings));
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
