package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

import io.distlock.LockException;
import io.distlock.spring.LockFailure;
import io.distlock.spring.LockFailureHandler;
import io.distlock.spring.definition.KotlinMethods;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Calls the application's handler, if there is one. It looks up the handler at the first
 * failure, because definitions are read before beans can be created.
 */
final class FailureHandlerPolicy implements NoLockPolicy {

	private final BeanFactory beans;

	private volatile @Nullable Optional<LockFailureHandler> found;

	FailureHandlerPolicy(BeanFactory beans) {
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

	private static LockFailure failure(LockedCall call, LockException reason) {
		LockedMethodId id = call.method().id();
		@Nullable Object[] passed = Arrays.copyOf(call.invocation().getArguments(), id.parameterCount());
		List<@Nullable Object> arguments = Arrays.asList(passed);
		return new LockFailure(id.method(), call.target(), Collections.unmodifiableList(arguments), call.keys(),
				reason);
	}

	@Override
	public @Nullable Object answer(LockedCall call, LockException reason) throws Throwable {
		LockFailureHandler handler = find().orElse(null);
		if (handler == null) {
			throw reason;
		}
		Object answer = handler.handle(failure(call, reason));
		Method method = call.method().id().method();
		Class<?> type = KotlinMethods.isSuspend(method) ? KotlinMethods.resultClass(method, call.target().getClass())
				: method.getReturnType();
		if (type != void.class && !ClassUtils.isAssignableValue(type, answer)) {
			throw new IllegalStateException(
					"LockFailureHandler " + handler.getClass().getName() + " returned "
							+ ((answer != null) ? "a " + answer.getClass().getName() : "null") + " for "
							+ call.method().id().describe() + ", which returns " + ClassUtils.getShortName(type),
					reason);
		}
		return answer;
	}

}
