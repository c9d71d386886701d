package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.support.KeyText;

/**
 * Describes to a {@link LockFailureHandler} a call that did not get its lock.
 *
 * @param method the annotated method, which did not run
 * @param target the object with the method, not its proxy
 * @param arguments the arguments of the caller
 * @param keys the keys of the requested locks
 * @param exception the reason: {@link LockBusyException} or
 * {@link io.distlock.LockStoreException}
 */
public record LockFailure(Method method, Object target, List<@Nullable Object> arguments, List<String> keys,
		LockException exception) {

	@Override
	public String toString() {
		return "LockFailure[method=" + this.method + ", keys=" + KeyText.of(this.keys.toString()) + ", exception="
				+ this.exception + "]";
	}

	/**
	 * Returns whether the lock is busy. If not, the store could not answer.
	 * @return {@code true} if {@link #exception()} is a {@link LockBusyException}
	 */
	public boolean isBusy() {
		return this.exception instanceof LockBusyException;
	}

}
