package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockOptions;
import io.distlock.OnBusy;

/**
 * What the configuration says about the methods of one lock name; it wins over their
 * annotations.
 *
 * @param options what also a request can say
 * @param enabled whether the methods take their lock at all
 * @param onBusy what to do when the lock is busy, {@code null} to leave it open
 * @param fallback name of the method to call instead, {@code null} to leave it open
 */
public record ConfiguredLock(LockOptions options, boolean enabled, @Nullable OnBusy onBusy, @Nullable String fallback) {

	/** Leaves everything open. */
	public static final ConfiguredLock NONE = of(LockOptions.NONE);

	/**
	 * Sets options and nothing else.
	 * @param options the options
	 * @return the settings of a lock that is switched on
	 */
	public static ConfiguredLock of(LockOptions options) {
		return new ConfiguredLock(options, true, null, null);
	}

}
