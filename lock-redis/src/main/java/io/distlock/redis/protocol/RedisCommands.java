package io.distlock.redis.protocol;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Runs scripts, through one client or another. Commands are sent in the order of the
 * calls as far as the client allows it. No method blocks; a command that cannot be sent
 * soon fails.
 */
public interface RedisCommands {

	/**
	 * Runs a script that the server should know already.
	 * @param script the script
	 * @param keys its keys, the lock first
	 * @param arguments its arguments
	 * @return the reply, consisting of {@link Long} and {@link String}; fails with the
	 * exception of the client
	 */
	CompletableFuture<List<Object>> evalSha(LockScript script, List<String> keys, List<String> arguments);

	/**
	 * Runs a script by its text; the server knows the script afterwards.
	 * @param script the script
	 * @param keys its keys, the lock first
	 * @param arguments its arguments
	 * @return the same as from {@link #evalSha}
	 */
	CompletableFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments);

	/**
	 * Describes the server for messages.
	 * @return a text without user and password
	 */
	String server();

	/** Stops sending commands and releases connections and threads. */
	void close();

}
