package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

import io.distlock.support.ForeignText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the table of locks and its database in messages. It shows the URL as the driver
 * knows it, without user, password and parameters.
 */
final class DatabaseName {

	private static final Logger logger = LoggerFactory.getLogger(DatabaseName.class);

	private static final String HOST = "(\\[[0-9A-Fa-f:.%]+]|[\\w.-]+)(:\\d+)?";

	/** Accepts host names only, because any other text may be a part of a password. */
	private static final Pattern HOSTS = Pattern.compile("(" + HOST + "(," + HOST + ")*)?");

	private static final String HIDDEN = "\u2026";

	private static final String AUTHORITY = "//";

	private static final String IN_MEMORY = "jdbc:h2:mem";

	private final String table;

	/** Empty until the URL is known. */
	private volatile String url = "";

	private volatile boolean learned;

	DatabaseName(String table) {
		this.table = table;
	}

	String table() {
		return this.table;
	}

	/** Uses the configured URL until the first connection. */
	void expect(Optional<String> configured) {
		if (!this.learned) {
			configured.ifPresent((address) -> this.url = withoutSecrets(address));
		}
	}

	/** Asks the driver for the URL, which it knows without asking the server. */
	void learn(Connection connection) {
		if (this.learned) {
			return;
		}
		try {
			String known = connection.getMetaData().getURL();
			if (known != null) {
				this.url = withoutSecrets(known);
			}
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("The database of table {} is not named: {}", this.table, ForeignText.messageOf(ex));
		}
		this.learned = true;
	}

	/** Returns whether the database is in memory, so that no other process sees it. */
	boolean isInMemory() {
		return this.url.toLowerCase(Locale.ROOT).startsWith(IN_MEMORY);
	}

	/**
	 * Returns the text that follows a sentence about the table; empty until the URL is
	 * known.
	 */
	String suffix() {
		return this.url.isEmpty() ? "" : " (database " + this.url + ")";
	}

	@Override
	public String toString() {
		return "table " + this.table + (this.url.isEmpty() ? "" : " of " + this.url)
				+ (isInMemory() ? " (in the memory of this process)" : "");
	}

	/** Cuts the URL before the first possible secret. */
	static String withoutSecrets(String url) {
		String plain = url.split("[?;]", 2)[0];
		int authority = plain.indexOf(AUTHORITY);
		int first = url.indexOf('@');
		if (authority < 0 || (first >= 0 && first < authority)) {
			return ForeignText.of((first < 0) ? plain : scheme(plain));
		}
		int hosts = authority + AUTHORITY.length();
		int user = plain.lastIndexOf('@');
		String rest = plain.substring(Math.max(hosts, user + 1));
		int slash = rest.indexOf('/');
		boolean safe = HOSTS.matcher((slash < 0) ? rest : rest.substring(0, slash)).matches()
				&& (user >= 0 || slash >= 0 || first < 0);
		return ForeignText.of(plain.substring(0, hosts) + (safe ? rest : HIDDEN));
	}

	/** Returns the scheme, for instance {@code jdbc:h2:}. */
	private static String scheme(String url) {
		int product = url.indexOf(':', url.indexOf(':') + 1);
		return url.substring(0, Math.max(0, product + 1)) + HIDDEN;
	}

}
