package io.distlock.spring;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;

import io.distlock.LockException;
import io.distlock.LockStoreException;
import io.distlock.OnBusy;
import io.distlock.OnStoreFailure;

/** Chooses what happens when a method gets no lock. */
final class Refusals {

	private final LongAdder unlockedRuns = new LongAdder();

	private final FailureHandlers handlers;

	private final Supplier<OnStoreFailure> onStoreFailure;

	/**
	 * Creates it.
	 * @param beans has the application's handler
	 * @param onStoreFailure the default; asked when the first method is resolved
	 */
	Refusals(BeanFactory beans, Supplier<OnStoreFailure> onStoreFailure) {
		this.handlers = new FailureHandlers(beans);
		this.onStoreFailure = onStoreFailure;
	}

	/** The application's handler, and the refusal that asks it. */
	FailureHandlers handlers() {
		return this.handlers;
	}

	/** How often methods ran without their lock. */
	long unlockedRuns() {
		return this.unlockedRuns.sum();
	}

	/**
	 * Chooses for a method.
	 * @param site the method
	 * @param attributes what its annotation says
	 * @param tuned what annotation and configuration say of failures of the store, or
	 * {@code null} for the default
	 * @param targetClass whose method it is
	 * @return the refusal
	 */
	Refusal of(LockSite site, LockAttributes attributes, @Nullable OnStoreFailure tuned, Class<?> targetClass) {
		Refusal busy = busy(site, attributes, targetClass);
		OnStoreFailure choice = (tuned != null) ? tuned : this.onStoreFailure.get();
		Refusal storeFailure = (choice == OnStoreFailure.FAIL) ? this.handlers : unlocked(site);
		return (call, reason) -> choose(reason, busy, storeFailure).answer(call, reason);
	}

	private static Refusal choose(LockException reason, Refusal busy, Refusal storeFailure) {
		return (reason instanceof LockStoreException) ? storeFailure : busy;
	}

	private Refusal busy(LockSite site, LockAttributes attributes, Class<?> targetClass) {
		String fallback = attributes.fallback();
		List<String> skipValue = attributes.skipValue();
		OnBusy onBusy = attributes.onBusy();
		if (!fallback.isEmpty() && onBusy != OnBusy.FALLBACK) {
			throw site.invalid("fallback is '" + fallback + "', but onBusy is " + onBusy,
					"Set onBusy = OnBusy.FALLBACK, or leave the fallback out");
		}
		if (!skipValue.isEmpty() && onBusy != OnBusy.SKIP) {
			throw site.invalid("skipValue is \"" + skipValue.get(0) + "\", but onBusy is " + onBusy,
					"Set onBusy = OnBusy.SKIP, or leave the value out");
		}
		return switch (onBusy) {
			case THROW -> this.handlers;
			case SKIP -> SkipRefusal.of(site, single(site, skipValue), targetClass);
			case FALLBACK -> fallback(site, fallback, targetClass);
		};
	}

	private static @Nullable String single(LockSite site, List<String> skipValue) {
		if (skipValue.size() > 1) {
			throw site.invalid("skipValue has " + skipValue.size() + " values", "Choose one, or leave it out");
		}
		return skipValue.isEmpty() ? null : skipValue.get(0);
	}

	private static Refusal fallback(LockSite site, String name, Class<?> targetClass) {
		if (name.isBlank()) {
			throw site.invalid("onBusy is FALLBACK, but no fallback is named",
					"Name a method of the same class with the same parameters: fallback = \"...\"");
		}
		return new FallbackMethods(site, name, targetClass).find();
	}

	private Refusal unlocked(LockSite site) {
		if (TokenParameter.of(site) != null) {
			throw site.invalid(
					"it may run without its lock (onStoreFailure is RUN_WITHOUT_LOCK), but a parameter is annotated "
							+ "with @FencingToken, which only a lock has",
					"Set onStoreFailure = OnStoreFailure.FAIL on the method, or remove the parameter");
		}
		return new UnlockedRun(this.unlockedRuns, System::nanoTime);
	}

}
