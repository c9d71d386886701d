package io.distlock.spring.intercept;

import org.aopalliance.intercept.MethodInvocation;

/** A call that may be run several times, each with arguments of its own. */
public interface RepeatableInvocation extends MethodInvocation {

	/**
	 * The same call.
	 * @return a copy, with a copy of the arguments
	 */
	RepeatableInvocation repeated();

}
