package io.distlock.redis.pooled;

import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;

/**
 * Runs scripts with a client that blocks, each on a connection that no other code uses.
 */
interface ScriptExecutor extends AutoCloseable {

	/**
	 * Runs a script; blocks, and throws the client's exceptions.
	 * @param script the script
	 * @param byDigest whether the server probably knows the script already
	 * @param arguments the keys and arguments of the script
	 * @return the reply
	 */
	List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments);

	/**
	 * Publishes a message; blocks, and throws the client's exceptions.
	 * @param channel the channel
	 * @param message the message
	 */
	void publish(byte[] channel, byte[] message);

	@Override
	void close();

}
