package io.distlock.redis.client;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.distlock.redis.protocol.LockScript;

/**
 * Runs scripts, through one client or another. Commands are sent in the order of the
 * calls as far as the client allows. Nothing blocks, and what cannot be sent soon fails.
 */
public interface RedisCommands {

	/**
	 * Runs a script that the server should know.
	 * @param script the script
	 * @param keys its keys, the lock first
	 * @param arguments its arguments
	 * @return the reply, {@link Long} and {@link String}, or the client's exception
	 */
	CompletableFuture<List<Object>> evalSha(LockScript script, List<String> keys, List<String> arguments);

	/** Runs a script by its text, after which the server knows it. */
	CompletableFuture<List<Object>> eval(LockScript script, List<String> keys, List<String> arguments);

	/** Names the server, for messages. */
	String server();

	void close();

}
