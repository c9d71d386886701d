package io.distlock.spring.startup;

import java.time.Duration;
import java.util.Map;

import org.springframework.context.annotation.AdviceMode;

import io.distlock.LockRequest;
import io.distlock.OnStoreFailure;
import io.distlock.spring.ConfiguredLock;

/**
 * What an application sets for all of its annotated methods.
 *
 * @param mode what intercepts their calls
 * @param order order of the lock among the proxies' other advice
 * @param commitGuard whether a transaction does not commit after the loss of a lock
 * @param startupReport whether to log which methods are locked
 * @param selfInvocationCheck whether to warn of calls that bypass the proxy
 * @param locks what is configured by lock name, which wins over the annotation
 * @param longestLease upper limit of a lease and of a minimum hold
 * @param onStoreFailure the default for methods that do not set it
 */
public record AnnotationSettings(AdviceMode mode, int order, boolean commitGuard, boolean startupReport,
		boolean selfInvocationCheck, Map<String, ConfiguredLock> locks, Duration longestLease,
		OnStoreFailure onStoreFailure) {

	/** Name of the bean. The first definition counts. */
	public static final String BEAN_NAME = "distributedLockAnnotationSettings";

	static AnnotationSettings ofAnnotation(AdviceMode mode, int order, boolean commitGuard, boolean startupReport,
			boolean selfInvocationCheck) {
		return new AnnotationSettings(mode, order, commitGuard, startupReport, selfInvocationCheck, Map.of(),
				LockRequest.MAX_LEASE, OnStoreFailure.FAIL);
	}

}
