package io.distlock.redis.pooled;

import java.nio.charset.StandardCharsets;
import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.RedisFailure;
import io.distlock.redis.protocol.Replies;
import io.distlock.redis.protocol.ScriptArguments;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPool;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * Connections of a pool of Jedis that only locks use. A connection is closed after
 * anything but an answer, because an answer may still come. It is also closed after the
 * answer of a server that is not the master any more: behind its name another one may be.
 * <p>
 * A closed connection goes back to the pool as if it was sound, and the pool drops it
 * when it would lend it. For a broken connection the pool would open another one at once,
 * and wait for a server that hangs.
 */
final class DedicatedConnections implements ScriptExecutor {

	private final ConnectionPool pool;

	/**
	 * Creates connections; opens none.
	 * @param pool opens them, and is closed with this object
	 */
	DedicatedConnections(ConnectionPool pool) {
		this.pool = pool;
	}

	@Override
	public List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments) {
		CommandArguments command = new CommandArguments(byDigest ? Protocol.Command.EVALSHA : Protocol.Command.EVAL)
			.add(byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8))
			.add(arguments.keys())
			.addObjects((Object[]) arguments.words());
		Connection connection = this.pool.getResource();
		boolean answered = false;
		try {
			List<Object> reply = Replies.texts(connection.executeCommand(command));
			answered = true;
			return reply;
		}
		catch (JedisDataException ex) {
			answered = !connection.isBroken() && RedisFailure.of(ex) != RedisFailure.OTHER_ROLE;
			throw ex;
		}
		finally {
			if (answered) {
				connection.close();
			}
			else {
				drop(connection);
			}
		}
	}

	/**
	 * Closes idle connections too: what ended one may have ended the others, each of
	 * which would fail one more command. The interrupt of a virtual thread closes only
	 * its own.
	 */
	private void drop(Connection connection) {
		try {
			connection.disconnect();
		}
		catch (JedisConnectionException ex) {
			// It is closed, but could not send what it had not sent yet. Without its
			// return the pool would have one connection less for ever.
		}
		this.pool.returnResource(connection);
		if (!Thread.currentThread().isInterrupted()) {
			this.pool.clear();
		}
	}

	@Override
	public void close() {
		this.pool.close();
	}

}
