package io.distlock.spring.startup;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedMethodId;

/** Knows which methods proxies, or weaving, can intercept. */
interface InterceptionRules {

	/**
	 * Checks what is visible in the class.
	 * @param id the annotated method
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be intercepted
	 */
	void checkDeclaration(LockedMethodId id, Class<?> type);

	/**
	 * Checks how Spring makes and destroys a bean.
	 * @param id the annotated method
	 * @param callbacks the methods that Spring calls itself
	 * @throws InvalidLockDefinitionException if calls would not be intercepted
	 */
	void checkCallbacks(LockedMethodId id, LifecycleCallbacks callbacks);

	/**
	 * Checks what is visible only in the finished bean.
	 * @param id the annotated method
	 * @param bean the bean as other beans get it
	 * @param type the class of the bean
	 * @param origin where the bean comes from
	 * @throws InvalidLockDefinitionException if calls would not be intercepted
	 */
	void checkProxy(LockedMethodId id, Object bean, Class<?> type, BeanOrigin origin);

}
