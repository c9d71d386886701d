package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.DeferredTypes;
import io.distlock.spring.definition.KotlinMethods;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Chooses by the return type how a method runs under its lock. Refuses methods that
 * return before their work is done, unless the end of the work can be observed.
 */
final class CallStyles {

	private static final String FIX = "Return the finished result, a CompletableFuture, a Mono or a Flux, "
			+ "or take the lock inside the asynchronous code with LockTemplate";

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Flux",
			CallStyles.class.getClassLoader());

	private static final boolean COROUTINES = REACTOR
			&& ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", CallStyles.class.getClassLoader())
			&& ClassUtils.isPresent("kotlin.reflect.full.KClasses", CallStyles.class.getClassLoader());

	private CallStyles() {
	}

	static CallStyle of(LockedMethodId id, Class<?> targetClass) {
		Method method = id.method();
		ResolvableType suspended = KotlinMethods.continuation(method, targetClass);
		if (suspended != null) {
			return suspend(id, suspended);
		}
		ResolvableType returned = ResolvableType.forMethodReturnType(method, targetClass);
		refuseWithin(id, returned);
		Class<?> type = returned.resolve(method.getReturnType());
		if (type == CompletableFuture.class || type == CompletionStage.class) {
			return isAsync(method, targetClass) ? StageStyle.ON_OWN_THREAD : StageStyle.INSTANCE;
		}
		CallStyle reactive = REACTOR ? ReactiveStyle.of(type) : null;
		if (reactive != null) {
			return reactive;
		}
		if (DeferredTypes.contains(type)) {
			throw early(id, ClassUtils.getShortName(type));
		}
		return new BlockingStyle();
	}

	private static CallStyle suspend(LockedMethodId id, ResolvableType continuation) {
		if (!KotlinDetector.isSuspendingFunction(id.method())) {
			throw id.invalid("it takes a Continuation but is not written in Kotlin, so its end is not known", FIX);
		}
		if (!COROUTINES) {
			throw id.invalid("it is a Kotlin suspend function, which Spring can run with Reactor only",
					"Add kotlinx-coroutines-reactor and kotlin-reflect to the class path");
		}
		Class<?> late = DeferredTypes.within(continuation);
		if (late != null) {
			throw id.invalid(
					"it is a Kotlin suspend function that returns a " + ClassUtils.getShortName(late)
							+ ", so the lock would be released before the work is done",
					"Remove 'suspend' if that is a Flow: the lock is held while it is collected");
		}
		return ReactiveStyle.forSuspendFunctions();
	}

	private static void refuseWithin(LockedMethodId id, ResolvableType type) {
		Class<?> hidden = DeferredTypes.within(type);
		if (hidden != null) {
			throw early(id, ClassUtils.getShortName(type.toClass()) + " with a " + ClassUtils.getShortName(hidden));
		}
	}

	private static InvalidLockDefinitionException early(LockedMethodId id, String type) {
		return id.invalid("it returns " + type + ", so the lock would be released before the work is done", FIX);
	}

	/** Returns whether a separate thread runs the call. */
	private static boolean isAsync(Method method, Class<?> targetClass) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
	}

}
