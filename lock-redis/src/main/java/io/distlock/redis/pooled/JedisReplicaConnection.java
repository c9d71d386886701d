package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Waits for replicas on the connection of a pipeline. Outside a pipeline the client takes
 * a connection from its pool for each command. WAIT on another connection would refer to
 * other writes.
 */
final class JedisReplicaConnection implements ReplicaConnection {

	private static final Logger logger = LoggerFactory.getLogger(JedisReplicaConnection.class);

	private final RedisConnection connection;

	private final AbstractPipeline pipeline;

	private JedisReplicaConnection(RedisConnection connection, AbstractPipeline pipeline) {
		this.connection = connection;
		this.pipeline = pipeline;
	}

	static ReplicaConnection open(RedisConnection connection) {
		try {
			return new JedisReplicaConnection(connection,
					((UnifiedJedis) connection.getNativeConnection()).pipelined());
		}
		catch (RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		byte[][] words = arguments.words();
		return Replies.texts(answer(byDigest ? this.pipeline.evalsha(utf8(script.sha()), arguments.keys(), words)
				: this.pipeline.eval(utf8(script.text()), arguments.keys(), words)));
	}

	@Override
	public long awaitReplicas(int required, Duration timeout) {
		Object confirmed = answer(this.pipeline.sendCommand(Protocol.Command.WAIT, utf8(String.valueOf(required)),
				utf8(String.valueOf(timeout.toMillis()))));
		return (confirmed instanceof Long number) ? number : 0;
	}

	private Object answer(Response<Object> response) {
		this.pipeline.sync();
		return response.get();
	}

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public void close() {
		try {
			this.pipeline.close();
		}
		catch (RuntimeException ex) {
			// The connection is broken, which was reported already, and it leaves the
			// pool.
			logger.debug("A pipeline was closed with its connection broken", ex);
		}
		finally {
			this.connection.close();
		}
	}

}
