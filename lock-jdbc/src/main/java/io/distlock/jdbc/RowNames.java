package io.distlock.jdbc;

import java.util.HexFormat;

import io.distlock.support.KeyDigest;

/**
 * Converts names of locks into values of a key column. The values are printable ASCII
 * without blanks, so that no collation, padding or character set makes two locks one. A
 * long name is cut and ends in a digest of the whole name.
 */
final class RowNames {

	static final int LONGEST = 255;

	/**
	 * Marks a digest; in other places four hexadecimal digits follow the percent sign.
	 */
	private static final String DIGEST = "%~";

	private static final String EMPTY = "%-";

	private static final int READABLE = 100;

	private final String prefix;

	RowNames(String prefix) {
		this.prefix = prefix;
	}

	String of(String key) {
		if (key.isEmpty()) {
			return this.prefix + EMPTY;
		}
		if (key.length() <= LONGEST) {
			String name = this.prefix + escape(key);
			if (name.length() <= LONGEST) {
				return name;
			}
		}
		String beginning = escape(key.substring(0, Math.min(READABLE, key.length())));
		return this.prefix + beginning.substring(0, Math.min(READABLE, beginning.length())) + DIGEST
				+ KeyDigest.of(key);
	}

	/** Returns the beginning of the row names of all keys that begin with a prefix. */
	String beginning(String prefix) {
		return this.prefix + escape(prefix);
	}

	/** Returns the key of a row; a long key is returned as its beginning and digest. */
	String key(String name) {
		String rest = name.substring(Math.min(this.prefix.length(), name.length()));
		if (rest.equals(EMPTY)) {
			return "";
		}
		StringBuilder key = new StringBuilder(rest.length());
		for (int i = 0; i < rest.length(); i++) {
			char c = rest.charAt(i);
			boolean escaped = c == '%' && rest.length() >= i + 5 && rest.substring(i + 1, i + 5).matches("[0-9a-f]{4}");
			key.append(escaped ? (char) HexFormat.fromHexDigits(rest, i + 1, i + 5) : c);
			i += escaped ? 4 : 0;
		}
		return key.toString();
	}

	private static String escape(String key) {
		StringBuilder name = new StringBuilder(key.length() + 8);
		for (int i = 0; i < key.length(); i++) {
			char c = key.charAt(i);
			if (c <= ' ' || c > '~' || c == '%') {
				name.append('%').append(HexFormat.of().toHexDigits(c));
			}
			else {
				name.append(c);
			}
		}
		return name.toString();
	}

}
