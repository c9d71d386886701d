package io.distlock.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;

/**
 * An annotated method as messages and lock keys call it.
 *
 * @param method the most specific method
 */
record LockSite(Method method) {

	/** For people: {@code StockService.deduct(Order)}. */
	String describe() {
		return caller() + parameters(ClassUtils::getShortName, parameterCount());
	}

	/** Without the continuation of a suspend function, which nobody wrote. */
	int parameterCount() {
		return this.method.getParameterCount() - (CallStyles.isSuspend(this.method) ? 1 : 0);
	}

	/**
	 * For people, with what it is about:
	 * {@code @DistributedLock on StockService.deduct(Order)}.
	 */
	String title() {
		return annotation() + " on " + describe();
	}

	/** For the holder's metadata: {@code StockService.deduct}. */
	String caller() {
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName();
	}

	/** The lock of a method that names none, the same in every process. */
	String signature() {
		return this.method.getDeclaringClass().getName() + "." + this.method.getName()
				+ parameters(Class::getTypeName, this.method.getParameterCount());
	}

	private String parameters(Function<Class<?>, String> name, int count) {
		return Arrays.stream(this.method.getParameterTypes())
			.limit(count)
			.map(name)
			.collect(Collectors.joining(", ", "(", ")"));
	}

	InvalidLockDefinitionException invalid(String reason, String fix) {
		return new InvalidLockDefinitionException(annotation(), "", describe(), reason, fix);
	}

	/** The annotation to blame; where both apply, that of the lock. */
	String annotation() {
		return isOn(DistributedSemaphore.class) && !isOn(DistributedLock.class) ? "@DistributedSemaphore"
				: "@DistributedLock";
	}

	private boolean isOn(Class<? extends Annotation> annotation) {
		return AnnotatedElementUtils.hasAnnotation(this.method, annotation)
				|| AnnotatedElementUtils.hasAnnotation(this.method.getDeclaringClass(), annotation);
	}

}
