package io.distlock.spring.startup;

import java.util.List;

import io.distlock.spring.definition.LockedBeanMethod;

/**
 * Runs what looks at all annotated methods together, once, when all singletons exist.
 *
 * @param selfInvocation finds calls that bypass the proxy
 * @param adviceOrder finds other advice on the wrong side of the lock
 * @param storeLimits finds what the store would refuse
 * @param report logs the methods
 */
record StartupChecks(SelfInvocationCheck selfInvocation, AdviceOrderCheck adviceOrder, StoreLimitCheck storeLimits,
		StartupReport report) {

	void run(List<LockedBeanMethod> places) {
		this.selfInvocation.run(places);
		this.adviceOrder.run(places);
		this.storeLimits.run(places);
		this.report.run(places);
	}

}
