package io.distlock.redis.protocol;

import java.util.List;

import io.distlock.spi.CallingThread;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts through a client. It sends commands in the order of the calls, as far as
 * the client allows that. No method blocks; a command that cannot be sent soon fails.
 */
public interface RedisCommands {

	/**
	 * Runs a script that the server probably knows already.
	 * @param script the script
	 * @param arguments the keys and arguments of the script
	 * @param answer notified once, on any thread
	 */
	void evalSha(LockScript script, ScriptArguments arguments, Answer answer);

	/**
	 * Runs a script by its text; the server knows the script afterwards.
	 * @param script the script
	 * @param arguments the keys and arguments of the script
	 * @param answer notified once, on any thread
	 */
	void eval(LockScript script, ScriptArguments arguments, Answer answer);

	/**
	 * Returns the commands for a thread that waits for the answer.
	 * @param caller may execute the command itself
	 * @return by default this object, which does not use the caller
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

	/** Receives the end of a command. */
	@FunctionalInterface
	interface Answer {

		/**
		 * Receives the outcome of the command; must not block.
		 * @param reply the reply, consisting of {@link Long} and {@link String}; a reply
		 * that is no list becomes the only element; {@code null} if there is none
		 * @param failure the exception of the client, or {@code null} if there is none
		 */
		void ended(@Nullable List<Object> reply, @Nullable Throwable failure);

	}

}
