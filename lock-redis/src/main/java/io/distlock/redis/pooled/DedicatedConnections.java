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
 * Runs scripts on a pool of Jedis connections that only locks use. If a command ends
 * without an answer, its connection is closed, because the answer may still arrive. A
 * connection is also closed when the server answers that it is no longer the master,
 * because the server's host name may lead to another server now.
 * <p>
 * A closed connection goes back to the pool like a sound one, and the pool drops it
 * before its next use. For a connection that is reported as broken, the pool would open
 * another one at once, and would wait for a server that hangs.
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
			// Jedis 5.0 has no add(byte[]).
			.addObjects(byDigest ? script.encodedSha() : script.text().getBytes(StandardCharsets.UTF_8),
					arguments.keys())
			.addObjects((Object[]) arguments.words());
		return Replies.texts(send(command));
	}

	@Override
	public void publish(byte[] channel, byte[] message) {
		send(new CommandArguments(Protocol.Command.PUBLISH).addObjects(channel, message));
	}

	private Object send(CommandArguments command) {
		Connection connection = this.pool.getResource();
		boolean answered = false;
		try {
			Object reply = connection.executeCommand(command);
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
	 * Closes a connection, and the idle connections with it. The same fault may have
	 * broken them, and each would fail one more command. The interrupt of a virtual
	 * thread closes only its connection, so the idle ones stay open.
	 */
	private void drop(Connection connection) {
		try {
			connection.disconnect();
		}
		catch (JedisConnectionException ex) {
			// The connection is closed, although it could not send its last bytes. It
			// must go back to the pool, which would otherwise have one connection less
			// for ever.
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
