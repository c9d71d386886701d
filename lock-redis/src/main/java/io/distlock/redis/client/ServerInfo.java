package io.distlock.redis.client;

import java.util.Optional;
import java.util.Properties;

import io.distlock.redis.protocol.RedisFailure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnection;

/**
 * Reads what a server reports about itself, as far as the user's rights and the client
 * allow.
 */
public final class ServerInfo {

	private static final Logger logger = LoggerFactory.getLogger(ServerInfo.class);

	private static final String NOT_SENT = "The client cannot send {}, so not everything is checked";

	private final RedisConnection connection;

	/**
	 * Creates a reader.
	 * @param connection a connection to the server
	 */
	public ServerInfo(RedisConnection connection) {
		this.connection = connection;
	}

	/**
	 * Reads a section of INFO. Throws the client's exception if the server does not
	 * answer.
	 * @param section name of the section
	 * @return its properties; empty if the user may not run INFO, or the client cannot
	 */
	public Properties section(String section) {
		return section(new ConnectionCommands(this.connection), section);
	}

	static Properties section(ServerCommands server, String section) {
		try {
			Properties info = server.info(section);
			return (info != null) ? info : new Properties();
		}
		catch (UnsupportedOperationException | StackOverflowError ex) {
			logger.debug(NOT_SENT, "INFO", ex);
			return new Properties();
		}
		catch (RuntimeException ex) {
			throwIfPassing("INFO", ex);
			return new Properties();
		}
	}

	/**
	 * Reads a setting. Throws the client's exception if the server does not answer.
	 * @param name name of the setting
	 * @return its value; empty if the user may not run CONFIG GET, the client cannot, or
	 * the server does not tell
	 */
	public Optional<String> knownSetting(String name) {
		try {
			Properties values = this.connection.serverCommands().getConfig(name);
			return (values != null) ? Optional.ofNullable(values.getProperty(name)) : Optional.empty();
		}
		catch (UnsupportedOperationException | StackOverflowError ex) {
			logger.debug(NOT_SENT, "CONFIG GET", ex);
			return Optional.empty();
		}
		catch (RuntimeException ex) {
			throwIfPassing("CONFIG GET", ex);
			return Optional.empty();
		}
	}

	private static void throwIfPassing(String command, RuntimeException failure) {
		if (RedisFailure.of(failure).passing()) {
			throw failure;
		}
		logger.debug("{} is not allowed, so not everything is checked", command, failure);
	}

}
