package io.distlock.autoconfigure.actuate;

/**
 * Masks keys of locks before the endpoint {@code locks} shows them, for keys that contain
 * personal data. All beans of this type are applied one after the other. Does not change
 * by which key a lock is asked for.
 */
@FunctionalInterface
public interface LockKeySanitizer {

	/**
	 * Returns what is shown instead of a key.
	 * @param key the key
	 * @return the key itself, or a masked one
	 */
	String sanitize(String key);

}
