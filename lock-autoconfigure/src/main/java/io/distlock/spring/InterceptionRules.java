package io.distlock.spring;

/** What the way in which calls are intercepted can do, and what it cannot. */
interface InterceptionRules {

	/**
	 * Checks what can be told from the class alone.
	 * @param site the annotated method
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be seen
	 */
	void checkDeclaration(LockSite site, Class<?> type);

	/**
	 * Checks what can be told once the bean is there.
	 * @param site the annotated method
	 * @param bean the bean, as others get it
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if calls would not be seen
	 */
	void checkProxy(LockSite site, Object bean, Class<?> type);

}
