package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.spring.InvalidLockDefinitionException;

/**
 * Identifies an annotated method in messages and lock keys.
 *
 * @param method the most specific method
 * @param type class of the bean, which may have inherited the method
 */
public record LockedMethodId(Method method, Class<?> type) {

	public LockedMethodId(Method method) {
		this(method, method.getDeclaringClass());
	}

	/** Returns the method as text for people: {@code StockService.deduct(Order)}. */
	public String describe() {
		return caller() + parameters(ClassUtils::getShortName, parameterCount());
	}

	/**
	 * Counts the parameters as written, without the continuation of a suspend function.
	 */
	public int parameterCount() {
		return this.method.getParameterCount() - (KotlinMethods.isSuspend(this.method) ? 1 : 0);
	}

	/**
	 * Names annotation and method: {@code @DistributedLock on
	 * StockService.deduct(Order)}.
	 */
	public String title() {
		return annotation() + " on " + describe();
	}

	/** Names the method in the holder's metadata: {@code StockService.deduct}. */
	public String caller() {
		return ClassUtils.getShortName(this.method.getDeclaringClass()) + "." + this.method.getName();
	}

	/**
	 * Returns the name of the lock of a method that names no lock. It is the same in
	 * every process.
	 */
	public String signature() {
		return this.method.getDeclaringClass().getName() + "." + this.method.getName()
				+ parameters(Class::getTypeName, this.method.getParameterCount());
	}

	private String parameters(Function<Class<?>, String> name, int count) {
		return Arrays.stream(this.method.getParameterTypes())
			.limit(count)
			.map(name)
			.collect(Collectors.joining(", ", "(", ")"));
	}

	public InvalidLockDefinitionException invalid(String reason, String fix) {
		return new InvalidLockDefinitionException(annotation(), "", describe(), reason, fix);
	}

	/** Returns the annotation that counts. */
	String annotation() {
		LockAttributes found = LockAnnotations.find(this.method, this.type);
		return "@" + ((found != null) ? found.annotation() : DistributedLock.class).getSimpleName();
	}

}
