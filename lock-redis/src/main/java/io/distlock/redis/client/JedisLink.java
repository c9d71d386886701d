package io.distlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A connection of Jedis that belongs to no pool. A pool may open another one, on the same
 * thread, when it gets one back that is broken.
 */
final class JedisLink implements KeptConnections.Link {

	private static final Logger logger = LoggerFactory.getLogger(JedisLink.class);

	private final Connection connection;

	JedisLink(Connection connection) {
		this.connection = connection;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		CommandArguments command = new CommandArguments(byDigest ? Protocol.Command.EVALSHA : Protocol.Command.EVAL)
			.add(byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8))
			.add(arguments.keys())
			.addObjects((Object[]) arguments.words());
		return Replies.texts(this.connection.executeCommand(command));
	}

	@Override
	public boolean isAnswer(Throwable failure) {
		// Behind the name of a server another one may have become the master, and a
		// connection that is in use never ends by itself.
		return failure instanceof JedisDataException && !this.connection.isBroken()
				&& RedisFailure.of(failure) != RedisFailure.OTHER_ROLE;
	}

	@Override
	public void close() {
		try {
			this.connection.disconnect();
		}
		catch (RuntimeException ex) {
			logger.debug("A connection was not closed in good order", ex);
		}
	}

}
