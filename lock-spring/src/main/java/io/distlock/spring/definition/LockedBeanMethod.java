package io.distlock.spring.definition;

import org.jspecify.annotations.Nullable;

import io.distlock.spring.InvalidLockDefinitionException;

/**
 * An annotated method of a bean.
 *
 * @param bean name of the bean
 * @param type class of the bean, not of its proxy
 * @param permits the number of permits of a semaphore, with resolved placeholders;
 * {@code null} for a lock
 * @param method the resolved method
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
