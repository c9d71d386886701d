package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;

import io.distlock.OnStoreFailure;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.spring.definition.LockedMethods;

/** Creates the invoker of each annotated method once, and keeps it. */
public final class Invokers {

	private final Map<MethodClassKey, Invoker> known = new ConcurrentHashMap<>();

	private final LockedMethods methods;

	private final NoLockPolicies policies;

	private final UnlockedCalls unlocked;

	/**
	 * Creates an empty register.
	 * @param methods resolves annotated methods
	 * @param beans contains the application's {@code LockFailureHandler}, if any
	 * @param onStoreFailure the default for methods that do not set it
	 */
	public Invokers(LockedMethods methods, BeanFactory beans, OnStoreFailure onStoreFailure) {
		this.unlocked = new UnlockedCalls(beans);
		this.methods = methods;
		this.policies = new NoLockPolicies(beans, onStoreFailure, this.unlocked);
	}

	/**
	 * Returns the annotated methods.
	 * @return the annotated methods behind this register
	 */
	public LockedMethods methods() {
		return this.methods;
	}

	/**
	 * Returns the invoker of an annotated method.
	 * @param method the method, perhaps of an interface
	 * @param targetClass the class of the target
	 * @return the same invoker for each call
	 * @throws io.distlock.spring.InvalidLockDefinitionException if the definition is
	 * invalid
	 */
	public Invoker get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Invoker found = this.known.get(key);
		if (found != null) {
			return found;
		}
		LockedMethod locked = this.methods.get(method, targetClass);
		CallStyle style = CallStyles.of(locked.id(), targetClass);
		Invoker created = new Invoker(locked, style, this.policies.of(locked, targetClass), this.unlocked);
		Invoker earlier = this.known.putIfAbsent(key, created);
		return (earlier != null) ? earlier : created;
	}

	/**
	 * Looks up the application's {@code LockFailureHandler}.
	 * @throws org.springframework.beans.factory.NoUniqueBeanDefinitionException if there
	 * are several and none is primary
	 */
	public void checkFailureHandler() {
		this.policies.handler().find();
	}

}
