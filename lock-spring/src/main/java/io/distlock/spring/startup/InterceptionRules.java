package io.distlock.spring.startup;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedMethodId;

/** Limits of proxies, or of weaving: which methods they can intercept. */
interface InterceptionRules {

	/**
	 * Checks what the class alone shows.
	 * @param id the annotated method
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be seen
	 */
	void checkDeclaration(LockedMethodId id, Class<?> type);

	/**
	 * Checks what only the finished bean shows.
	 * @param id the annotated method
	 * @param bean the bean, as others get it
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be seen
	 */
	void checkProxy(LockedMethodId id, Object bean, Class<?> type);

}
