package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;

/** The object that {@code #root} means in a key expression. */
public final class KeyRoot {

	/** Properties that an expression may name without {@code #root}. */
	static final Set<String> PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args");

	private final Method method;

	private final Object target;

	private final @Nullable Object[] args;

	KeyRoot(Method method, Object target, @Nullable Object[] args) {
		this.method = method;
		this.target = target;
		this.args = args;
	}

	public Method getMethod() {
		return this.method;
	}

	public String getMethodName() {
		return this.method.getName();
	}

	public Object getTarget() {
		return this.target;
	}

	/**
	 * Returns the class as written in source code, because names of generated classes
	 * differ from process to process. For a lambda, and for a proxy without a class
	 * behind it, this is the interface.
	 */
	public Class<?> getTargetClass() {
		Class<?> type = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(this.target));
		return LockAnnotations.isGenerated(type) ? this.method.getDeclaringClass() : type;
	}

	public @Nullable Object[] getArgs() {
		return this.args;
	}

}
