package io.distlock.support;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Shortens keys that are too long for the names of a store. */
public final class KeyDigest {

	private KeyDigest() {
	}

	/**
	 * Digests a key. The digest is made from UTF-16 code units, because an encoding in
	 * bytes does not tell halves of surrogate pairs apart.
	 * @param key any text
	 * @return 64 hexadecimal digits, SHA-256 of the UTF-16 code units
	 */
	public static String of(String key) {
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
