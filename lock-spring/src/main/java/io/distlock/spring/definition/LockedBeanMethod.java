package io.distlock.spring.definition;

import org.jspecify.annotations.Nullable;

import io.distlock.spring.InvalidLockDefinitionException;

/**
 * An annotated method of a bean.
 *
 * @param bean name of the bean
 * @param type class of the bean, not of its proxy
 * @param permits how many may hold a semaphore, placeholders resolved; {@code null} of a
 * lock
 * @param method the method, resolved
 */
public record LockedBeanMethod(String bean, Class<?> type, @Nullable String permits, LockedMethod method) {

	public String name() {
		return this.method.name();
	}

	public LockAttributes attributes() {
		return this.method.attributes();
	}

	public LockedMethodId id() {
		return this.method.id();
	}

	/** Returns the annotation as in source code. */
	public String annotation() {
		return "@" + attributes().annotation().getSimpleName();
	}

	public InvalidLockDefinitionException invalid(String reason, String fix) {
		return id().invalid(reason, fix).inBean(this.bean);
	}

	/** Returns whether the lock depends on the call. */
	public boolean hasKey() {
		return !attributes().key().isEmpty() || !attributes().keys().isEmpty();
	}

}
