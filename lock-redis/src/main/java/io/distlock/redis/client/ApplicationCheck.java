package io.distlock.redis.client;

import java.util.function.Supplier;

import io.distlock.redis.protocol.RedisCommands;
import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Asks a server through a connection of the application. Scripts go the way that locks
 * take, which may lead elsewhere.
 */
public final class ApplicationCheck implements CheckClient {

	private final RedisConnection connection;

	private final Supplier<RedisClient> opener;

	private @Nullable RedisClient client;

	/**
	 * Creates the connections of a check.
	 * @param connection a connection of the application; closed with this object
	 * @param opener opens the client that runs scripts
	 */
	public ApplicationCheck(RedisConnection connection, Supplier<RedisClient> opener) {
		this.connection = connection;
		this.opener = opener;
	}

	@Override
	public boolean isCluster() {
		return this.connection instanceof RedisClusterConnection;
	}

	@Override
	public ServerCommands commands() {
		return new ConnectionCommands(this.connection);
	}

	@Override
	public RedisCommands scripts() {
		RedisClient opened = (this.client != null) ? this.client : this.opener.get();
		this.client = opened;
		return opened.commands();
	}

	@Override
	public void close() {
		try (this.connection) {
			if (this.client != null) {
				this.client.close();
			}
		}
	}

}
