package io.distlock.autoconfigure.actuate;

/**
 * Masks keys of locks before the endpoint {@code locks} shows them, for keys that contain
 * personal data. The endpoint applies all beans of this type one after the other. A
 * request still names a lock by its original key.
 */
@FunctionalInterface
public interface LockKeySanitizer {

	/**
	 * Returns the text to show instead of a key.
	 * @param key the key
	 * @return the key itself, or a masked one
	 */
	String sanitize(String key);

}
