package io.distlock.support;

/**
 * Keys of locks as parts of messages. A key may be made of what users sent, so it is
 * {@link ForeignText}.
 */
public final class KeyText {

	private KeyText() {
	}

	/**
	 * Returns the key for a message.
	 * @param key the lock
	 * @return the key itself, unless it is longer than 256 characters or has some that
	 * cannot be printed: only its beginning with the length of the whole, and those as in
	 * Java
	 */
	public static String of(String key) {
		return ForeignText.of(key);
	}

}
