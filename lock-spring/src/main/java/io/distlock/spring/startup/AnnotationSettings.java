package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.springframework.context.annotation.AdviceMode;

import io.distlock.OnStoreFailure;
import io.distlock.spring.ConfiguredLock;
import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.SelfInvocation;

/**
 * Settings for all annotated methods of an application.
 *
 * @param mode what intercepts the calls of these methods
 * @param order order of the lock among the proxies' other advice
 * @param commitGuard whether a transaction does not commit after the loss of a lock
 * @param locks the configuration by lock name, which overrides the annotation
 * @param onStoreFailure the default for methods that do not set it
 * @param selfInvocation what to do about calls within a bean
 */
public record AnnotationSettings(AdviceMode mode, int order, boolean commitGuard, Map<String, ConfiguredLock> locks,
		OnStoreFailure onStoreFailure, SelfInvocation selfInvocation) {

	/**
	 * Name of the bean of {@code @EnableDistributedLocks}. The first such annotation
	 * counts.
	 */
	public static final String BEAN_NAME = "distributedLockAnnotationSettings";

	static AnnotationSettings ofAnnotation(AdviceMode mode, int order, boolean commitGuard) {
		return new AnnotationSettings(mode, order, commitGuard, Map.of(), OnStoreFailure.FAIL, SelfInvocation.WARN);
	}

	/**
	 * Names the attributes whose values differ from the default and from the given
	 * settings.
	 * @param others the settings that apply instead
	 * @return the names of the attributes
	 */
	public List<String> setOtherwiseIn(AnnotationSettings others) {
		List<String> names = new ArrayList<>();
		if (this.mode != AdviceMode.PROXY && this.mode != others.mode) {
			names.add("mode");
		}
		if (this.order != EnableDistributedLocks.DEFAULT_ORDER && this.order != others.order) {
			names.add("order");
		}
		if (!this.commitGuard && others.commitGuard) {
			names.add("commitGuard");
		}
		return names;
	}

}
