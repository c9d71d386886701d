package io.distlock.spring.intercept;

import org.aopalliance.intercept.MethodInvocation;

/** A call that may run several times, each time with a copy of the arguments. */
public interface RepeatableInvocation extends MethodInvocation {

	/**
	 * Returns the same call again.
	 * @return a copy, with a copy of the arguments
	 */
	RepeatableInvocation repeated();

}
