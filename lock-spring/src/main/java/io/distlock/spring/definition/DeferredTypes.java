package io.distlock.spring.definition;

import java.lang.reflect.Type;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/**
 * Knows the types of results whose work may still run after the return, or may not have
 * begun.
 */
public final class DeferredTypes {

	private static final List<Class<?>> DEFERRED = List.of(CompletionStage.class, Future.class, Flow.Publisher.class,
			BaseStream.class, Callable.class);

	/** Types as text, because their libraries may be absent. */
	private static final Set<String> DEFERRED_NAMES = Set.of("org.reactivestreams.Publisher",
			"kotlinx.coroutines.flow.Flow", "kotlinx.coroutines.Deferred",
			"org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private static final ClassValue<Boolean> KNOWN = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return compute(type);
		}

	};

	private DeferredTypes() {
	}

	public static boolean contains(Class<?> type) {
		return KNOWN.get(type);
	}

	/**
	 * Returns a deferred type among the type arguments, as in
	 * {@code ResponseEntity<Flux<T>>}, or among the elements of an array.
	 */
	public static @Nullable Class<?> within(ResolvableType type) {
		return within(type, new HashSet<>());
	}

	/**
	 * Remembers the types seen so far, because the bound of a variable may name the
	 * variable itself.
	 */
	private static @Nullable Class<?> within(ResolvableType type, Set<Type> seen) {
		if (!seen.add(type.getType())) {
			return null;
		}
		for (ResolvableType argument : type.isArray() ? new ResolvableType[] { type.getComponentType() }
				: type.getGenerics()) {
			Class<?> resolved = argument.resolve();
			Class<?> found = (resolved != null && contains(resolved)) ? resolved : within(argument, seen);
			if (found != null) {
				return found;
			}
		}
		return null;
	}

	private static boolean compute(Class<?> type) {
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
			.anyMatch((contract) -> DEFERRED_NAMES.contains(contract.getName())) || adapter(type) != null;
	}

	/**
	 * Returns the adapter of a reactive type.
	 * @param type the type
	 * @return {@code null} if the type is not reactive
	 */
	public static @Nullable ReactiveAdapter adapter(Class<?> type) {
		return isPlain(type) ? null : ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
	}

	/**
	 * Returns whether the registry need not be asked about a type. Most locked methods
	 * return such a type, or nothing. The registry loads the reactive libraries that it
	 * finds, which takes a fiftieth of the start of an application.
	 */
	private static boolean isPlain(Class<?> type) {
		return type.isPrimitive()
				|| type.getName().startsWith("java.") && !type.getName().startsWith("java.util.concurrent.");
	}

}
