package io.distlock.spring.intercept;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

import io.distlock.LockException;
import io.distlock.LockStoreException;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;
import io.distlock.observe.LockNotTaken;
import io.distlock.spring.definition.LockAttributes;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.spring.definition.TokenParameter;
import io.distlock.support.ForeignText;

/** Chooses what happens when a method gets no lock. */
final class NoLockPolicies {

	private final UnlockedCalls unlocked;

	private final FailureHandlerPolicy handler;

	private final OnStoreFailure onStoreFailure;

	/**
	 * Creates the policies.
	 * @param beans has the application's handler
	 * @param onStoreFailure the default for methods that do not set it
	 * @param unlocked reports calls that have no lock and do not fail
	 */
	NoLockPolicies(BeanFactory beans, OnStoreFailure onStoreFailure, UnlockedCalls unlocked) {
		this.unlocked = unlocked;
		this.handler = new FailureHandlerPolicy(beans);
		this.onStoreFailure = onStoreFailure;
	}

	/** Returns the policy that asks the failure handler of the application. */
	FailureHandlerPolicy handler() {
		return this.handler;
	}

	/**
	 * Chooses the policy of a method.
	 * @param method the method
	 * @param targetClass the class of the target
	 * @return the policy
	 */
	NoLockPolicy of(LockedMethod method, Class<?> targetClass) {
		LockedMethodId id = method.id();
		NoLockPolicy busy = busy(method, targetClass);
		OnStoreFailure choice = onStoreFailure(method);
		NoLockPolicy storeFailure = (choice == OnStoreFailure.RUN_WITHOUT_LOCK) ? unlocked(id) : this.handler;
		return (call, reason) -> choose(reason, busy, storeFailure).answer(call, reason);
	}

	/** Returns what a method does when the store cannot answer. */
	private OnStoreFailure onStoreFailure(LockedMethod method) {
		OnStoreFailure own = method.options().onStoreFailure();
		return (own != null) ? own : this.onStoreFailure;
	}

	private static NoLockPolicy choose(LockException reason, NoLockPolicy busy, NoLockPolicy storeFailure) {
		return (reason instanceof LockStoreException) ? storeFailure : busy;
	}

	private NoLockPolicy busy(LockedMethod method, Class<?> targetClass) {
		LockedMethodId id = method.id();
		LockAttributes written = method.attributes();
		checkAnnotation(id, written);
		OnBusy onBusy = method.onBusy();
		if (method.configured().fallback() != null && onBusy != OnBusy.FALLBACK) {
			throw id
				.invalid(
						property(method, "fallback") + " is '" + ForeignText.of(method.fallback()) + "', but onBusy is "
								+ onBusy,
						"Set " + property(method, "on-busy") + " to fallback, or remove the property");
		}
		String choice = "onBusy is " + onBusy
				+ ((method.configured().onBusy() != null) ? " by " + property(method, "on-busy") : "");
		return switch (onBusy) {
			case THROW -> this.handler;
			case SKIP -> reported(SkipPolicy.of(id, choice, single(id, written.skipValue()), targetClass));
			case FALLBACK -> fallback(id, choice, method.fallback(), targetClass);
		};
	}

	/** Rejects attributes of one annotation that contradict each other. */
	private static void checkAnnotation(LockedMethodId id, LockAttributes written) {
		String fallback = written.fallback();
		List<String> skipValue = written.skipValue();
		OnBusy onBusy = written.onBusy();
		if (!fallback.isEmpty() && onBusy != OnBusy.FALLBACK) {
			throw id.invalid("fallback is '" + fallback + "', but onBusy is " + onBusy,
					"Set onBusy = OnBusy.FALLBACK, or leave the fallback out");
		}
		if (!skipValue.isEmpty() && onBusy != OnBusy.SKIP) {
			throw id.invalid("skipValue is \"" + skipValue.get(0) + "\", but onBusy is " + onBusy,
					"Set onBusy = OnBusy.SKIP, or leave the value out");
		}
	}

	private static String property(LockedMethod method, String option) {
		return "distributed-lock.locks." + method.name() + "." + option;
	}

	private NoLockPolicy reported(NoLockPolicy skip) {
		return (call, reason) -> {
			this.unlocked.report(call.method(), LockNotTaken.Reason.BUSY);
			return skip.answer(call, reason);
		};
	}

	private static @Nullable String single(LockedMethodId id, List<String> skipValue) {
		if (skipValue.size() > 1) {
			throw id.invalid("skipValue has " + skipValue.size() + " values", "Choose one, or leave it out");
		}
		return skipValue.isEmpty() ? null : skipValue.get(0);
	}

	private static NoLockPolicy fallback(LockedMethodId id, String choice, String name, Class<?> targetClass) {
		if (name.isBlank()) {
			throw id.invalid(choice + ", but no fallback is named",
					"Name a method of the same class with the same parameters: fallback = \"...\"");
		}
		return new FallbackMethods(id, name, targetClass).find();
	}

	private NoLockPolicy unlocked(LockedMethodId id) {
		if (TokenParameter.of(id) != null) {
			throw id.invalid(
					"it may run without its lock (onStoreFailure is RUN_WITHOUT_LOCK), but a parameter is annotated "
							+ "with @FencingToken, which only a lock has",
					"Set onStoreFailure = OnStoreFailure.FAIL on the method, or remove the parameter");
		}
		return new RunUnlockedPolicy(id.title(), this.unlocked, System::nanoTime);
	}

}
