package io.distlock.redis;

import java.nio.charset.StandardCharsets;

import io.distlock.LockStoreException;

/**
 * Names of locks as names of Redis keys. No two locks share a key, and no name chooses a
 * Cluster slot or breaks a log line.
 */
final class KeyCodec {

	private static final int MAX_BYTES = 512;

	private final String prefix;

	KeyCodec(String prefix) {
		this.prefix = prefix;
	}

	String encode(String key) {
		StringBuilder name = new StringBuilder(this.prefix.length() + key.length() + 8).append(this.prefix);
		for (int i = 0; i < key.length(); i++) {
			char c = key.charAt(i);
			if (special(key, i)) {
				name.append('%').append(String.format("%04x", (int) c));
			}
			else {
				name.append(c);
			}
		}
		int bytes = name.toString().getBytes(StandardCharsets.UTF_8).length;
		if (bytes > MAX_BYTES) {
			throw new LockStoreException("The key of lock '" + key.substring(0, 40) + "…' takes " + bytes
					+ " bytes in Redis, more than " + MAX_BYTES + ": use a shorter key, for instance a hash of it",
					null);
		}
		return name.toString();
	}

	/** The inverse of {@link #encode}. */
	String decode(String name) {
		StringBuilder key = new StringBuilder(name.length());
		for (int i = this.prefix.length(); i < name.length(); i++) {
			char c = name.charAt(i);
			if (c == '%') {
				key.append((char) Integer.parseInt(name.substring(i + 1, i + 5), 16));
				i += 4;
			}
			else {
				key.append(c);
			}
		}
		return key.toString();
	}

	/** Half a surrogate pair would become a question mark, and so collide with others. */
	private static boolean special(String key, int i) {
		char c = key.charAt(i);
		if (Character.isHighSurrogate(c)) {
			return i + 1 == key.length() || !Character.isLowSurrogate(key.charAt(i + 1));
		}
		if (Character.isLowSurrogate(c)) {
			return i == 0 || !Character.isHighSurrogate(key.charAt(i - 1));
		}
		return c == '%' || c == '{' || c == '}' || Character.isISOControl(c);
	}

}
