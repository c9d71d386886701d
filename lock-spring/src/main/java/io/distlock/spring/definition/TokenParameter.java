package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.AnnotatedMethod;
import org.springframework.util.ClassUtils;

import io.distlock.FencingToken;
import io.distlock.LockHandle;

/**
 * The parameter that gets the fencing token.
 *
 * @param index its position
 */
public record TokenParameter(int index) {

	/**
	 * Finds the parameter, even if only the interface method has the annotation.
	 * @return {@code null} if there is none
	 */
	public static @Nullable TokenParameter of(LockedMethodId id) {
		List<MethodParameter> marked = Arrays.stream(new AnnotatedMethod(id.method()).getMethodParameters())
			.filter((parameter) -> parameter.hasParameterAnnotation(FencingToken.class))
			.toList();
		if (marked.isEmpty()) {
			return null;
		}
		if (marked.size() > 1) {
			throw id.invalid("several parameters are annotated with @FencingToken", "Keep one of them");
		}
		Class<?> type = marked.get(0).getParameterType();
		if (type != long.class && type != Long.class) {
			throw id.invalid("the parameter annotated with @FencingToken is of type " + ClassUtils.getShortName(type),
					"Make it a long");
		}
		return new TokenParameter(marked.get(0).getParameterIndex());
	}

	/** Returns whether a parameter of the method itself has the annotation. */
	static boolean isOn(Method method) {
		return method.getParameterCount() > 0 && Arrays.stream(method.getParameterAnnotations())
			.flatMap(Arrays::stream)
			.anyMatch((annotation) -> annotation.annotationType() == FencingToken.class);
	}

	/** Returns the arguments for the key, without the caller's value for the token. */
	@Nullable Object[] hide(@Nullable Object[] arguments) {
		@Nullable Object[] others = arguments.clone();
		others[this.index] = null;
		return others;
	}

	void set(@Nullable Object[] arguments, LockHandle lock) {
		arguments[this.index] = lock.fencingToken();
	}

}
