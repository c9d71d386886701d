package io.distlock.redis.client;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;

/** Connections of the application's factory, each taken for one command. */
final class PooledConnections implements Connections {

	private static final Logger logger = LoggerFactory.getLogger(PooledConnections.class);

	private final RedisConnectionFactory factory;

	PooledConnections(RedisConnectionFactory factory) {
		this.factory = factory;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		RedisConnection connection = this.factory.getConnection();
		try {
			RedisScriptingCommands commands = connection.scriptingCommands();
			return BlockingCommands.texts(byDigest
					? commands.evalSha(script.encodedSha(), ReturnType.MULTI, arguments.keys(), arguments.words())
					: commands.eval(script.text().getBytes(StandardCharsets.UTF_8), ReturnType.MULTI, arguments.keys(),
							arguments.words()));
		}
		finally {
			close(connection);
		}
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
