package io.distlock.spring.startup;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedMethodId;

/** What the way in which calls are intercepted can do, and what it cannot. */
interface InterceptionRules {

	/**
	 * Checks what can be told from the class alone.
	 * @param id the annotated method
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be seen
	 */
	void checkDeclaration(LockedMethodId id, Class<?> type);

	/**
	 * Checks what can be told once the bean is there.
	 * @param id the annotated method
	 * @param bean the bean, as others get it
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be seen
	 */
	void checkProxy(LockedMethodId id, Object bean, Class<?> type);

}
