package io.distlock.redis.protocol;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * Names of locks as names of Redis keys. No two locks share a key, and no name chooses a
 * Cluster slot or breaks a log line. A name that would be too long ends in a digest of
 * the whole key, behind a mark that is in no other name.
 */
public final class KeyCodec {

	public static final int MAX_BYTES = 512;

	/** Elsewhere, four hexadecimal digits follow the sign. */
	private static final String DIGEST = "%~";

	private static final int READABLE = 40;

	private final String prefix;

	private final LongKeys longKeys = new LongKeys();

	public KeyCodec(String prefix) {
		this.prefix = prefix;
	}

	public String encode(String key) {
		if (key.length() < MAX_BYTES) {
			String name = escape(key);
			if (name.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES) {
				return name;
			}
		}
		return escape(key.substring(0, Math.min(READABLE, key.length()))) + DIGEST + digest(key);
	}

	/**
	 * Makes sure that {@link #decode} knows a key, for as long as this very object is in
	 * use.
	 */
	public void remember(String key, String name) {
		if (isDigest(name)) {
			this.longKeys.put(name, key);
		}
	}

	/**
	 * The inverse of {@link #encode}.
	 * @return {@code null} for the name of a long key that nobody uses here
	 */
	public @Nullable String decode(String name) {
		if (isDigest(name)) {
			return this.longKeys.get(name);
		}
		StringBuilder key = new StringBuilder(name.length());
		for (int i = this.prefix.length(); i < name.length(); i++) {
			char c = name.charAt(i);
			if (c == '%') {
				key.append((char) Integer.parseInt(name, i + 1, i + 5, 16));
				i += 4;
			}
			else {
				key.append(c);
			}
		}
		return key.toString();
	}

	private boolean isDigest(String name) {
		return name.indexOf(DIGEST, this.prefix.length()) >= 0;
	}

	private String escape(String key) {
		StringBuilder name = new StringBuilder(this.prefix.length() + key.length() + 8).append(this.prefix);
		for (int i = 0; i < key.length(); i++) {
			char c = key.charAt(i);
			if (special(key, i)) {
				name.append('%').append(HexFormat.of().toHexDigits(c));
			}
			else {
				name.append(c);
			}
		}
		return name.toString();
	}

	/** Of the characters, since a charset would not tell halves of surrogate pairs. */
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
