package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.MethodClassKey;

import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.OnStoreFailure;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.local.LocalGates;
import io.distlock.spring.local.LocalRuns;

/** Creates the invoker of each annotated method once, and keeps it. */
public final class Invokers {

	private final Map<MethodClassKey, Invoker> known = new ConcurrentHashMap<>();

	private final LockedMethods methods;

	private final NoLockPolicies policies;

	private final UnlockedCalls unlocked;

	private final LocalGates gates;

	/**
	 * Creates an empty register.
	 * @param methods resolves annotated methods
	 * @param beans contains the application's {@code LockFailureHandler}, if any
	 * @param onStoreFailure the default for methods that do not set it
	 */
	public Invokers(LockedMethods methods, BeanFactory beans, OnStoreFailure onStoreFailure) {
		this.unlocked = new UnlockedCalls(beans);
		this.gates = new LocalGates(
				() -> beans.getBeanProvider(LockSettings.class).getIfUnique(() -> LockSettings.DEFAULTS));
		this.methods = methods;
		this.policies = new NoLockPolicies(beans, onStoreFailure, this.unlocked);
	}

	/**
	 * Returns the annotated methods.
	 * @return the register that this one is based on
	 */
	public LockedMethods methods() {
		return this.methods;
	}

	/**
	 * Returns the invoker of an annotated method.
	 * @param method the method, which may be that of an interface
	 * @param targetClass the class of the target
	 * @return the same invoker for each call
	 * @throws io.distlock.spring.InvalidLockDefinitionException if the definition cannot
	 * work
	 */
	public Invoker get(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Invoker found = this.known.get(key);
		if (found != null) {
			return found;
		}
		LockedMethod locked = this.methods.get(method, targetClass);
		CallStyle style = CallStyles.of(locked.id(), targetClass);
		Invoker created = new Invoker(locked, style, this.policies.of(locked, targetClass), this.unlocked,
				local(locked, style));
		Invoker earlier = this.known.putIfAbsent(key, created);
		return (earlier != null) ? earlier : created;
	}

	private @Nullable UnaryOperator<LockTemplate> local(LockedMethod method, CallStyle style) {
		if (!isLocalOnly(method)) {
			return null;
		}
		NoLockPolicies.checkLocalOnly(method, style);
		LocalRuns runs = new LocalRuns(method.id().title(), System::nanoTime);
		return (template) -> this.gates.over(template, runs);
	}

	/**
	 * Returns whether a method excludes within this process when the store does not
	 * answer.
	 * @param method an annotated method
	 * @return what {@link OnStoreFailure#LOCAL_ONLY} says, in annotation or configuration
	 */
	public boolean isLocalOnly(LockedMethod method) {
		return this.policies.onStoreFailure(method) == OnStoreFailure.LOCAL_ONLY;
	}

	/**
	 * Returns how often methods excluded only callers of this process, because the store
	 * did not answer.
	 * @return the number of calls
	 */
	public long localRuns() {
		return this.gates.runs();
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
