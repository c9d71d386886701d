package io.distlock.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Holds the address of a server, with credentials. Its {@link #toString() text} contains
 * no password.
 *
 * @param host the host
 * @param port the port
 * @param database the number of the database
 * @param user the user, or {@code null} for the default one
 * @param password the password, or {@code null} for none
 * @param tls whether to encrypt the connection
 */
public record RedisAddress(String host, int port, int database, @Nullable String user, @Nullable String password,
		boolean tls) {

	private static final int DEFAULT_PORT = 6379;

	private static final int LARGEST_PORT = 65_535;

	/**
	 * Reads {@code host}, {@code host:port} or
	 * {@code redis[s]://[[user]:password@]host[:port][/database]}. Special characters in
	 * user and password are percent-encoded.
	 * @param text the text
	 * @return the address
	 * @throws IllegalArgumentException with the reason, but without the text, which may
	 * contain a password
	 */
	public static RedisAddress parse(String text) {
		String trimmed = text.strip();
		URI uri = uri(trimmed.contains("://") ? trimmed : "redis://" + trimmed);
		String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
		if (!scheme.equals("redis") && !scheme.equals("rediss")) {
			throw new IllegalArgumentException("does not begin with redis:// or rediss://");
		}
		if (uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
			throw new IllegalArgumentException("is not of the form redis://user:password@host:port/database");
		}
		// Split before decoding, because a user name may contain a colon.
		String[] login = (uri.getRawUserInfo() != null) ? uri.getRawUserInfo().split(":", 2) : new String[0];
		String password = (login.length == 2) ? decoded(login[1]) : null;
		if (login.length == 1 && !login[0].isEmpty()) {
			throw new IllegalArgumentException("has a user but no password: write redis://user:password@… or, with the "
					+ "default user, redis://:password@…");
		}
		return new RedisAddress(uri.getHost().toLowerCase(Locale.ROOT), port(uri.getPort()), database(uri.getPath()),
				(password != null && !login[0].isEmpty()) ? decoded(login[0]) : null, password,
				scheme.equals("rediss"));
	}

	private static URI uri(String text) {
		try {
			return new URI(text);
		}
		catch (URISyntaxException ex) {
			// The message of that exception would repeat the text.
			throw new IllegalArgumentException("is not of the form redis://user:password@host:port/database"
					+ ", with special characters percent-encoded");
		}
	}

	private static String decoded(String text) {
		return StringUtils.uriDecode(text, StandardCharsets.UTF_8);
	}

	/** Reads the port; a URI without a port reports -1. */
	private static int port(int port) {
		if (port == 0 || port > LARGEST_PORT) {
			throw new IllegalArgumentException("has a port that is not from 1 to " + LARGEST_PORT);
		}
		return (port < 0) ? DEFAULT_PORT : port;
	}

	private static int database(String path) {
		if (path.isEmpty() || path.equals("/")) {
			return 0;
		}
		try {
			int number = Integer.parseInt(path.substring(1));
			if (number >= 0) {
				return number;
			}
		}
		catch (NumberFormatException ex) {
			// Refused below, like a negative number.
		}
		throw new IllegalArgumentException("has a database that is not a number");
	}

	/**
	 * Returns the name of the server.
	 * @return host and port
	 */
	public String server() {
		return this.host + ":" + this.port;
	}

	@Override
	public String toString() {
		return server() + "/" + this.database;
	}

}
