package io.distlock.spring;

/**
 * What the check at startup does about an annotated method that its own bean calls. Such
 * a call bypasses the proxy, so it takes no lock.
 */
public enum SelfInvocation {

	/** Log a warning with the line of each call. */
	WARN,

	/** Refuse to start. */
	FAIL

}
