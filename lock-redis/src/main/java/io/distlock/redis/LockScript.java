package io.distlock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The scripts: each is the shared {@code state.lua} followed by the file of its verb. */
enum LockScript {

	ACQUIRE, FINISH, RENEW, INSPECT;

	private final String text;

	private final String sha;

	LockScript() {
		this.text = read("state") + "\n" + read(name().toLowerCase(Locale.ROOT));
		this.sha = sha1(this.text);
	}

	String text() {
		return this.text;
	}

	/** What EVALSHA knows the script by. */
	String sha() {
		return this.sha;
	}

	private static String read(String name) {
		String file = name + ".lua";
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
