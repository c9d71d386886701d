package io.distlock.redis.client;

import java.util.Properties;

import org.jspecify.annotations.Nullable;

/**
 * Sends single commands to a server, outside of scripts. Each method blocks until the
 * answer, and throws what the client reports.
 */
public interface ServerCommands {

	/**
	 * Runs a command whose answer does not matter.
	 * @param command name of the command, in lower case
	 * @param words what follows the name
	 * @throws UnsupportedOperationException if the client cannot send the command
	 */
	void run(String command, byte[]... words);

	/**
	 * Reads the server's clock.
	 * @return milliseconds since 1970, or 0 if the client does not tell
	 */
	long millis();

	/**
	 * Reads a section of INFO.
	 * @param section name of the section
	 * @return its properties, or {@code null} if the client has none. In a Cluster each
	 * name begins with its node
	 * @throws UnsupportedOperationException if the client cannot send the command
	 */
	@Nullable Properties info(String section);

}
