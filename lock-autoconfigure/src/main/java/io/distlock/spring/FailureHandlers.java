package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

import io.distlock.LockException;

/**
 * Asks the application's handler, if there is one. Looked for late: definitions are read
 * before beans can be created.
 */
final class FailureHandlers implements Refusal {

	private final BeanFactory beans;

	private volatile @Nullable Optional<LockFailureHandler> found;

	FailureHandlers(BeanFactory beans) {
		this.beans = beans;
	}

	/**
	 * Finds the handler.
	 * @return empty if there is none
	 * @throws org.springframework.beans.factory.NoUniqueBeanDefinitionException if there
	 * are several and none of them is primary
	 */
	Optional<LockFailureHandler> find() {
		Optional<LockFailureHandler> known = this.found;
		if (known == null) {
			known = Optional.ofNullable(this.beans.getBeanProvider(LockFailureHandler.class).getIfAvailable());
			this.found = known;
		}
		return known;
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		LockFailureHandler handler = find().orElse(null);
		if (handler == null) {
			throw reason;
		}
		Object answer = handler.handle(LockFailure.of(call, reason));
		Method method = call.method().site().method();
		Class<?> type = CallStyles.isSuspend(method) ? CallStyles.resultClass(method, call.target().getClass())
				: method.getReturnType();
		if (type != void.class && !ClassUtils.isAssignableValue(type, answer)) {
			throw new IllegalStateException(
					"LockFailureHandler " + handler.getClass().getName() + " answered "
							+ ((answer != null) ? "a " + answer.getClass().getName() : "null") + " for "
							+ call.method().site().describe() + ", which returns " + ClassUtils.getShortName(type),
					reason);
		}
		return answer;
	}

}
