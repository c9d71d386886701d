package io.distlock.test;

import java.lang.reflect.Method;
import java.time.Duration;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * Repeats a test of a store's contract on another key if it fails and this JVM stood
 * still meanwhile, or if it took too long. For tests that rely on a waiter: a store drops
 * a request that was not repeated for two seconds, and ends a pushed grant that was not
 * confirmed soon.
 */
final class StandstillRepetition implements InvocationInterceptor {

	private static final Duration WAITERS = Duration.ofSeconds(2);

	@Override
	public void interceptTestMethod(Invocation<Void> once, ReflectiveInvocationContext<Method> test,
			ExtensionContext context) throws Exception {
		once.skip();
		SharingContract contract = context.getRequiredTestInstances().findInstance(SharingContract.class).orElseThrow();
		Standstill.repeat(WAITERS, () -> {
			contract.useNewKey();
			ReflectionSupport.invokeMethod(test.getExecutable(), test.getTarget().orElseThrow());
		});
	}

}
