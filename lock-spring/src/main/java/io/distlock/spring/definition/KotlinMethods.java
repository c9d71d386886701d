package io.distlock.spring.definition;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Reads methods as they were written in Kotlin. A {@code suspend} function is compiled to
 * a method with an additional parameter, its continuation. The continuation names the
 * type of the result.
 */
public final class KotlinMethods {

	private static final String CONTINUATION = "kotlin.coroutines.Continuation";

	private KotlinMethods() {
	}

	/**
	 * Returns whether a method takes a continuation.
	 * @param method the method
	 * @return {@code true} for suspend functions
	 */
	public static boolean isSuspend(Method method) {
		int last = method.getParameterCount() - 1;
		return last >= 0 && method.getParameterTypes()[last].getName().equals(CONTINUATION);
	}

	/**
	 * Returns the type of the continuation of a suspend function.
	 * @param method the method
	 * @param targetClass the class of the target, which resolves type variables
	 * @return {@code null} for other methods
	 */
	public static @Nullable ResolvableType continuation(Method method, Class<?> targetClass) {
		return isSuspend(method)
				? ResolvableType.forMethodParameter(method, method.getParameterCount() - 1, targetClass) : null;
	}

	/**
	 * Returns the type of the result. For a suspend function, this is the type of the
	 * result after it has finished.
	 * @param method the method
	 * @param targetClass the class of the target, which resolves type variables
	 * @return the type
	 */
	public static ResolvableType result(Method method, Class<?> targetClass) {
		ResolvableType continuation = continuation(method, targetClass);
		return (continuation != null) ? continuation.getGeneric()
				: ResolvableType.forMethodReturnType(method, targetClass);
	}

	/**
	 * Returns the class of the result.
	 * @param method the method
	 * @param targetClass the class of the target, which resolves type variables
	 * @return {@code void} also for {@code kotlin.Unit}
	 */
	public static Class<?> resultClass(Method method, Class<?> targetClass) {
		Class<?> type = result(method, targetClass).resolve(isSuspend(method) ? Object.class : method.getReturnType());
		return type.getName().equals("kotlin.Unit") ? void.class : type;
	}

}
