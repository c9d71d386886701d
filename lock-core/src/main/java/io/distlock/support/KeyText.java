package io.distlock.support;

/**
 * Prepares keys of locks for messages. A key may contain what users sent, so it is
 * {@link ForeignText}.
 */
public final class KeyText {

	private KeyText() {
	}

	/**
	 * Returns the key for a message.
	 * @param key the lock
	 * @return the key itself; a key of more than 256 characters is cut and followed by
	 * its full length, and unprintable characters are escaped as in Java
	 */
	public static String of(String key) {
		return ForeignText.of(key);
	}

}
