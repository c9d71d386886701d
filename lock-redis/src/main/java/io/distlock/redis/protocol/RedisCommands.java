package io.distlock.redis.protocol;

import java.util.List;

import io.distlock.spi.CallingThread;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts, through one client or another. Commands are sent in the order of the
 * calls as far as the client allows it. No method blocks; a command that cannot be sent
 * soon fails.
 */
public interface RedisCommands {

	/**
	 * Runs a script that the server should know already.
	 * @param script the script
	 * @param arguments its keys and arguments
	 * @param answer notified once, on any thread
	 */
	void evalSha(LockScript script, ScriptArguments arguments, Answer answer);

	/**
	 * Runs a script by its text; the server knows the script afterwards.
	 * @param script the script
	 * @param arguments its keys and arguments
	 * @param answer notified once, on any thread
	 */
	void eval(LockScript script, ScriptArguments arguments, Answer answer);

	/**
	 * Returns the same commands for a thread that waits for the answer.
	 * @param caller may execute the command itself
	 * @return by default these commands, which do not use it
	 */
	default RedisCommands by(CallingThread caller) {
		return this;
	}

	/**
	 * Describes the server for messages.
	 * @return a text without user and password
	 */
	String server();

	/** Stops sending commands and releases connections and threads. */
	void close();

	/** Waits for the end of a command. */
	@FunctionalInterface
	interface Answer {

		/**
		 * The command ended. Must not block.
		 * @param reply the reply, consisting of {@link Long} and {@link String}, of which
		 * a reply that is no list is the only one; {@code null} if there is none
		 * @param failure the exception of the client, or {@code null}
		 */
		void ended(@Nullable List<Object> reply, @Nullable Throwable failure);

	}

}
