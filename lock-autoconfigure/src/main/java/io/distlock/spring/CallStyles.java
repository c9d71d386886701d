package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;

/**
 * Chooses how a method runs under its lock, by its return type. Refuses methods that
 * return before their work is done, if nobody could tell when it is.
 */
final class CallStyles {

	private static final String FIX = "Return the finished result, a CompletableFuture, a Mono or a Flux, "
			+ "or take the lock inside the asynchronous code with LockTemplate";

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Flux",
			CallStyles.class.getClassLoader());

	private static final boolean COROUTINES = REACTOR
			&& ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", CallStyles.class.getClassLoader())
			&& ClassUtils.isPresent("kotlin.reflect.full.KClasses", CallStyles.class.getClassLoader());

	private CallStyles() {
	}

	static CallStyle of(LockSite site, Class<?> targetClass) {
		Method method = site.method();
		ResolvableType suspended = suspended(method, targetClass);
		if (suspended != null) {
			return suspend(site, suspended);
		}
		ResolvableType returned = ResolvableType.forMethodReturnType(method, targetClass);
		refuseWithin(site, returned);
		Class<?> type = returned.resolve(method.getReturnType());
		if (type == CompletableFuture.class || type == CompletionStage.class) {
			return isAsync(method, targetClass) ? StageStyle.ON_OWN_THREAD : StageStyle.INSTANCE;
		}
		CallStyle reactive = REACTOR ? ReactiveStyle.of(type) : null;
		if (reactive != null) {
			return reactive;
		}
		if (DeferredTypes.contains(type)) {
			throw early(site, ClassUtils.getShortName(type));
		}
		return BlockingStyle.INSTANCE;
	}

	/** What a suspend function returns in the end, {@code null} for other methods. */
	private static @Nullable ResolvableType suspended(Method method, Class<?> targetClass) {
		int last = method.getParameterCount() - 1;
		if (last < 0 || !method.getParameterTypes()[last].getName().equals(CONTINUATION)) {
			return null;
		}
		return ResolvableType.forMethodParameter(method, last, targetClass);
	}

	/** What a method gives in the end; of a suspend function what it ends with. */
	static ResolvableType result(Method method, Class<?> targetClass) {
		ResolvableType suspended = suspended(method, targetClass);
		return (suspended != null) ? suspended.getGeneric() : ResolvableType.forMethodReturnType(method, targetClass);
	}

	/** The class of that, {@code void} for nothing in whatever language. */
	static Class<?> resultClass(Method method, Class<?> targetClass) {
		Class<?> type = result(method, targetClass).resolve(isSuspend(method) ? Object.class : method.getReturnType());
		return type.getName().equals("kotlin.Unit") ? void.class : type;
	}

	static boolean isSuspend(Method method) {
		return suspended(method, method.getDeclaringClass()) != null;
	}

	private static CallStyle suspend(LockSite site, ResolvableType continuation) {
		if (!KotlinDetector.isSuspendingFunction(site.method())) {
			throw site.invalid("it takes a Continuation but is not written in Kotlin, so nobody can tell when it ends",
					FIX);
		}
		if (!COROUTINES) {
			throw site.invalid("it is a Kotlin suspend function, which Spring can run with Reactor only",
					"Add kotlinx-coroutines-reactor and kotlin-reflect to the class path");
		}
		Class<?> late = DeferredTypes.within(continuation);
		if (late != null) {
			throw site.invalid(
					"it is a Kotlin suspend function that returns a " + ClassUtils.getShortName(late)
							+ ", so the lock would be released before the work is done",
					"Remove 'suspend' if that is a Flow: the lock is held while it is collected");
		}
		return ReactiveStyle.forSuspendFunctions();
	}

	private static void refuseWithin(LockSite site, ResolvableType type) {
		Class<?> hidden = DeferredTypes.within(type);
		if (hidden != null) {
			throw early(site, ClassUtils.getShortName(type.toClass()) + " with a " + ClassUtils.getShortName(hidden));
		}
	}

	private static InvalidLockDefinitionException early(LockSite site, String type) {
		return site.invalid("it returns " + type + ", so the lock would be released before the work is done", FIX);
	}

	/** Whether the method will be called on a thread of its own. */
	private static boolean isAsync(Method method, Class<?> targetClass) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(targetClass, Async.class);
	}

}
