package io.distlock.redis.protocol;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The scripts of a lock, one for each verb of the protocol. */
public enum LockScript {

	ACQUIRE, FINISH, RENEW, INSPECT, RAISE_TOKEN, FORCE_RELEASE, LIST;

	// Constants, not patterns: the constructor runs before static fields are set.
	private static final String INCLUDE = "(?m)^ *-- @include (\\S+)$";

	private static final String COMMENT_LINE = "(?m)^ *--.*\n";

	private final String text;

	private final String sha;

	LockScript() {
		this.text = read("verbs/" + name().toLowerCase(Locale.ROOT) + ".lua");
		this.sha = sha1(this.text);
	}

	/**
	 * Returns the text of the script.
	 * @return the text
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Returns the name by which EVALSHA runs the script.
	 * @return the SHA-1 digest of the text
	 */
	public String sha() {
		return this.sha;
	}

	/**
	 * Assembles a script. A line {@code -- @include steps/clock.lua} stands for the text
	 * of that file: unlike a function, which the server would create in every call, it
	 * costs nothing. Lines of comment are left out.
	 * @param file path of the script in the folder of the protocol
	 * @return the text
	 */
	public static String read(String file) {
		return assemble(file).replaceAll(COMMENT_LINE, "");
	}

	private static String assemble(String file) {
		return Pattern.compile(INCLUDE)
			.matcher(resource(file))
			.replaceAll((include) -> Matcher.quoteReplacement(assemble(include.group(1))));
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
