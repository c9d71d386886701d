package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockOptions;
import io.distlock.OnBusy;

/**
 * The configuration for the methods of one lock name. It overrides their annotations.
 *
 * @param options the options that a request has as well
 * @param enabled whether the methods take their lock at all
 * @param onBusy what to do when the lock is busy, {@code null} if not configured
 * @param fallback name of the method to call instead, {@code null} if not configured
 * @param ofVariable whether an environment variable configures this, which may leave out
 * characters of the name
 */
public record ConfiguredLock(LockOptions options, boolean enabled, @Nullable OnBusy onBusy, @Nullable String fallback,
		boolean ofVariable) {

	/** Configures nothing. */
	public static final ConfiguredLock NONE = of(LockOptions.NONE);

	/**
	 * Creates a configuration of options only.
	 * @param options the options
	 * @return the settings of a lock that is switched on
	 */
	public static ConfiguredLock of(LockOptions options) {
		return new ConfiguredLock(options, true, null, null, false);
	}

}
