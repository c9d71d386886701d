package io.distlock.redis.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Lists the scripts of a lock, one for each verb of the protocol. */
public enum LockScript {

	ACQUIRE, FINISH, RENEW, INSPECT, RAISE_TOKEN, FORCE_RELEASE, LIST;

	private static final String INCLUDE = "-- @include ";

	private static final String COMMENT = "--";

	private final String text;

	private final String sha;

	private final byte[] encodedSha;

	LockScript() {
		this.text = read("verbs/" + name().toLowerCase(Locale.ROOT) + ".lua");
		this.sha = sha1(this.text);
		this.encodedSha = this.sha.getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Returns the text of the script.
	 * @return the text
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Returns the digest by which EVALSHA runs the script.
	 * @return the SHA-1 digest of the text
	 */
	public String sha() {
		return this.sha;
	}

	/**
	 * Returns the digest by which EVALSHA runs the script, as the bytes to send.
	 * @return the bytes of {@link #sha()}; the caller must not change them
	 */
	public byte[] encodedSha() {
		return this.encodedSha;
	}

	/**
	 * Assembles a script. It replaces a line such as {@code -- @include steps/clock.lua}
	 * by the text of that file. A function would cost more, because the server would
	 * create it in every call. Comment lines are left out.
	 * @param file path of the script in the folder of the protocol
	 * @return the text
	 */
	public static String read(String file) {
		StringBuilder text = new StringBuilder();
		assemble(file, text);
		return text.toString();
	}

	/**
	 * Avoids regular expressions, which would take much of an application's start time.
	 */
	private static void assemble(String file, StringBuilder text) {
		String source = resource(file);
		int end;
		for (int begin = 0; begin < source.length(); begin = end) {
			end = source.indexOf('\n', begin) + 1;
			if (end == 0) {
				throw new IllegalStateException("The lock-redis jar is damaged: " + file + " ends within a line");
			}
			String line = source.substring(begin, end).strip();
			if (line.startsWith(INCLUDE)) {
				assemble(line.substring(INCLUDE.length()), text);
				text.append('\n');
			}
			else if (!line.startsWith(COMMENT)) {
				text.append(source, begin, end);
			}
		}
	}

	private static String resource(String file) {
		try (InputStream in = LockScript.class.getResourceAsStream(file)) {
			if (in == null) {
				throw new IllegalStateException("The lock-redis jar is incomplete: " + file + " is missing");
			}
			return new String(in.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + file, ex);
		}
	}

	private static String sha1(String text) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-1");
			return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Redis names scripts by SHA-1, which this JVM does not offer", ex);
		}
	}

}
