package io.distlock.jdbc;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names of locks as values of a key column: printable ASCII without blanks, so that no
 * collation, padding or character set makes two locks one. A long name is cut and ends in
 * a digest of the whole.
 */
final class RowNames {

	static final int LONGEST = 255;

	/** Elsewhere, four hexadecimal digits follow the percent sign. */
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
		return this.prefix + beginning.substring(0, Math.min(READABLE, beginning.length())) + DIGEST + digest(key);
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

	/** Digests characters, because a charset does not tell halves of surrogate pairs. */
	private static String digest(String key) {
		ByteBuffer bytes = ByteBuffer.allocate(2 * key.length());
		bytes.asCharBuffer().put(key);
		try {
			return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Long keys are shortened by SHA-256, which this JVM does not offer", ex);
		}
	}

}
