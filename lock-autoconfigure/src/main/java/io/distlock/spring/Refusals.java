package io.distlock.spring;

/** Chooses what happens when a method gets no lock. */
final class Refusals {

	private Refusals() {
	}

	static Refusal of(LockSite site, LockAttributes attributes, Class<?> targetClass) {
		return Refusal.THROW;
	}

}
