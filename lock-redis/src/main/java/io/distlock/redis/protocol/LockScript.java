package io.distlock.redis.protocol;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** The scripts, one for each verb, and the second step of a quorum. */
public enum LockScript {

	ACQUIRE, FINISH, RENEW, INSPECT, FENCE_RAISE;

	private final String text;

	private final String sha;

	LockScript() {
		this.text = ScriptText.read(name().toLowerCase(Locale.ROOT) + ".lua");
		this.sha = sha1(this.text);
	}

	public String text() {
		return this.text;
	}

	/** What EVALSHA knows the script by. */
	public String sha() {
		return this.sha;
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
