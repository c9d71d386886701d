package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/** Connections of the application's factory, each taken for one command. */
public final class PooledConnections implements ScriptExecutor {

	private static final Logger logger = LoggerFactory.getLogger(PooledConnections.class);

	private final RedisConnectionFactory factory;

	PooledConnections(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		RedisConnection connection = this.factory.getConnection();
		try {
			return run(connection, script, byDigest, arguments.keys(), arguments.words());
		}
		finally {
			close(connection);
		}
	}

	/**
	 * Runs a script.
	 * @param connection a connection of any client
	 * @param script the script
	 * @param byDigest whether the server should know the script already
	 * @param keys how many of the words are keys
	 * @param words keys and arguments
	 * @return the reply; a list of one if it is a text or a number
	 */
	public static List<Object> run(RedisConnection connection, LockScript script, boolean byDigest, int keys,
			byte[]... words) {
		// Jedis expects the type that is asked for, and converts nothing to a value.
		// Lettuce makes a list of what is none.
		ReturnType type = PooledPerCommand.isJedis(connection) ? ReturnType.VALUE : ReturnType.MULTI;
		RedisScriptingCommands commands = connection.scriptingCommands();
		Object reply = byDigest ? commands.evalSha(script.encodedSha(), type, keys, words)
				: commands.eval(script.text().getBytes(StandardCharsets.UTF_8), type, keys, words);
		return Replies.texts(reply);
	}

	/** The answer, or the failure, counts even if the client complains. */
	private static void close(RedisConnection connection) {
		try {
			connection.close();
		}
		catch (RuntimeException ex) {
			logger.debug("A connection was not given back in good order", ex);
		}
	}

	@Override
	public void close() {
		// The factory is the application's.
	}

}
