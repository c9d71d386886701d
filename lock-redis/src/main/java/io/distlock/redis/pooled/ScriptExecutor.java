package io.distlock.redis.pooled;

import java.util.List;

import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;

/** Runs scripts with a client that blocks, each on a connection that no other uses. */
interface ScriptExecutor extends AutoCloseable {

	/**
	 * Runs a script; blocks, and throws what the client throws.
	 * @param script the script
	 * @param byDigest whether the server should know the script already
	 * @param arguments its keys and arguments
	 * @return the reply
	 */
	List<Object> run(LockScript script, boolean byDigest, ScriptArguments arguments);

	@Override
	void close();

}
