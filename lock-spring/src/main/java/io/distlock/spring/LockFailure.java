package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.support.KeyText;

/**
 * A call that did not get its lock, for a {@link LockFailureHandler}.
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

	@Override
	public String toString() {
		return "LockFailure[method=" + this.method + ", keys=" + KeyText.of(this.keys.toString()) + ", exception="
				+ this.exception + "]";
	}

	/**
	 * Returns whether the lock is busy; otherwise the store could not answer.
	 * @return {@code true} if {@link #exception()} is a {@link LockBusyException}
	 */
	public boolean isBusy() {
		return this.exception instanceof LockBusyException;
	}

}
