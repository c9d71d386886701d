package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.client.Connections;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/** Takes a connection of the application's factory for each command. */
public final class PooledConnections implements ScriptExecutor {

	private static final Logger logger = LoggerFactory.getLogger(PooledConnections.class);

	private final RedisConnectionFactory factory;

	PooledConnections(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		RedisConnection connection = Connections.of(this.factory);
		try {
			return run(connection, script, byDigest, arguments.keys(), arguments.words());
		}
		catch (RuntimeException ex) {
			if (RedisFailure.of(ex) == RedisFailure.OTHER_ROLE) {
				end(connection);
			}
			throw ex;
		}
		finally {
			close(connection);
		}
	}

	@Override
	public void publish(byte[] channel, byte[] message) {
		RedisConnection connection = Connections.of(this.factory);
		try {
			connection.publish(channel, message);
		}
		finally {
			close(connection);
		}
	}

	/**
	 * Runs a script.
	 * @param connection a connection of any client
	 * @param script the script
	 * @param byDigest whether the server probably knows the script already
	 * @param keys how many of the words are keys
	 * @param words the keys and arguments
	 * @return the reply; a list with one element if it is a text or a number
	 */
	public static List<Object> run(RedisConnection connection, LockScript script, boolean byDigest, int keys,
			byte[]... words) {
		// Jedis expects a reply of the requested type, and converts nothing for VALUE.
		// With MULTI, Lettuce makes a list of a reply that is not a list.
		ReturnType type = PooledPerCommand.isJedis(connection) ? ReturnType.VALUE : ReturnType.MULTI;
		RedisScriptingCommands commands = connection.scriptingCommands();
		Object reply = byDigest ? commands.evalSha(script.encodedSha(), type, keys, words)
				: commands.eval(script.text().getBytes(StandardCharsets.UTF_8), type, keys, words);
		return Replies.texts(reply);
	}

	/**
	 * Asks a server that is no longer the master to end the connection. Otherwise the
	 * pool would lend it for ever, although the address may lead to the master by now.
	 */
	private static void end(RedisConnection connection) {
		try {
			connection.execute("QUIT");
		}
		catch (RuntimeException ex) {
			logger.debug("A connection to a server that is no longer the master stays open", ex);
		}
	}

	/** Closes a connection; the answer or the failure counts even if closing fails. */
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
		// The factory belongs to the application.
	}

}
