package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.distlock.LockBusyException;
import io.distlock.LockException;

/**
 * A call that got no lock, for a {@link LockFailureHandler}.
 *
 * @param method the annotated method; it did not run
 * @param target the object whose method it is, not its proxy
 * @param arguments what the caller passed
 * @param keys the locks that were asked for
 * @param exception why there is no lock: {@link LockBusyException} or
 * {@link io.distlock.LockStoreException}
 */
public record LockFailure(Method method, Object target, List<@Nullable Object> arguments, List<String> keys,
		LockException exception) {

	static LockFailure of(LockedCall call, LockException reason) {
		@Nullable Object[] passed = Arrays.copyOf(call.invocation().getArguments(), call.method().site().parameterCount());
		List<@Nullable Object> arguments = Arrays.asList(passed);
		return new LockFailure(call.method().site().method(), call.target(), Collections.unmodifiableList(arguments),
				call.keys(), reason);
	}

	/**
	 * Whether somebody else holds the lock; otherwise the store could not answer.
	 * @return {@code true} if {@link #exception()} is a {@link LockBusyException}
	 */
	public boolean isBusy() {
		return this.exception instanceof LockBusyException;
	}

}
