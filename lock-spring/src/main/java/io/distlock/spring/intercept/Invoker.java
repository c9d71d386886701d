package io.distlock.spring.intercept;

import org.jspecify.annotations.Nullable;

import io.distlock.observe.LockNotTaken;
import io.distlock.spring.LockConditionException;
import io.distlock.spring.definition.LockedMethod;

/**
 * Runs the calls of one annotated method.
 *
 * @param method what the annotation and the configuration define
 * @param style how the method runs under its lock
 * @param policy what happens instead when the method gets no lock
 * @param unlocked runs calls that are not to take the lock
 */
public record Invoker(LockedMethod method, CallStyle style, NoLockPolicy policy, UnlockedCalls unlocked) {

	@Nullable Object invoke(LockedCall call) throws Throwable {
		LockNotTaken.Reason notTaken;
		try {
			notTaken = this.method.reasonNotTaken(call.target(), call.invocation().getArguments());
		}
		catch (LockConditionException ex) {
			return this.style.fail(ex);
		}
		return (notTaken != null) ? this.unlocked.run(call, notTaken) : this.style.run(call, this.policy);
	}

}
