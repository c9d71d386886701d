package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Waits for replicas on a connection of the application's pool. No other code uses the
 * connection until it is closed.
 */
final class PooledReplicaConnection implements ReplicaConnection {

	private final RedisConnection connection;

	PooledReplicaConnection(RedisConnection connection) {
		this.connection = connection;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		return PooledConnections.run(this.connection, script, byDigest, arguments.keys(), arguments.words());
	}

	@Override
	public long awaitReplicas(int required, Duration timeout) {
		Object confirmed = this.connection.execute("WAIT", bytes(required), bytes(timeout.toMillis()));
		return (confirmed instanceof Long number) ? number : 0;
	}

	private static byte[] bytes(long number) {
		return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
	}

	@Override
	public void close() {
		this.connection.close();
	}

}
