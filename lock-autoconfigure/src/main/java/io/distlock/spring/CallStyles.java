package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Chooses how a method runs under its lock, by its return type. Refuses methods that
 * return before their work is done, if nobody could tell when it is.
 */
final class CallStyles {

	private static final String FIX = "Return the finished result, or take the lock inside the asynchronous code with LockTemplate";

	private static final List<Class<?>> DEFERRED = List.of(CompletionStage.class, Future.class, Flow.Publisher.class,
			BaseStream.class, Callable.class);

	/** By name: their libraries may be absent. */
	private static final Set<String> DEFERRED_NAMES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Deferred",
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private CallStyles() {
	}

	static CallStyle of(LockSite site, Class<?> targetClass) {
		Method method = site.method();
		Class<?>[] parameters = method.getParameterTypes();
		if (parameters.length > 0 && parameters[parameters.length - 1].getName().equals(CONTINUATION)) {
			throw site.invalid("it is a Kotlin suspend function, so the lock would be released at the first suspension",
					FIX);
		}
		Class<?> type = ResolvableType.forMethodReturnType(method, targetClass).resolve(method.getReturnType());
		if (isDeferred(type)) {
			throw site.invalid("it returns " + ClassUtils.getShortName(type)
					+ ", so the lock would be released before the work is done", FIX);
		}
		return BlockingStyle.INSTANCE;
	}

	private static boolean isDeferred(Class<?> type) {
		if (DEFERRED.stream().anyMatch((deferred) -> deferred.isAssignableFrom(type))) {
			return true;
		}
		for (Class<?> current = type; current != null; current = current.getSuperclass()) {
			if (DEFERRED_NAMES.contains(current.getName())) {
				return true;
			}
		}
		return ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.anyMatch((contract) -> DEFERRED_NAMES.contains(contract.getName()))
				|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
	}

}
