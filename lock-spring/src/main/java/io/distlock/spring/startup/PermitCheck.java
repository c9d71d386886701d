package io.distlock.spring.startup;

import java.util.ArrayList;
import java.util.List;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.spi.Capability;
import io.distlock.spring.InvalidLockDefinitionException;

/**
 * Refuses semaphores at startup if the store cannot keep permits, instead of at the first
 * call.
 */
final class PermitCheck implements SmartInitializingSingleton {

	private final LockedBeanValidator validator;

	private final LockStores stores;

	/**
	 * Creates a check.
	 * @param validator has found the annotated methods
	 * @param stores the stores of each lock
	 */
	PermitCheck(LockedBeanValidator validator, LockStores stores) {
		this.validator = validator;
		this.stores = stores;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		this.validator.places()
			.stream()
			.filter((place) -> place.permits() != null && place.method().configured().enabled())
			.forEach((place) -> this.stores.of(place.name())
				.stream()
				.filter((store) -> store.unsupported().contains(Capability.PERMITS))
				.findFirst()
				.map((store) -> place.invalid("there are no permits: " + Capability.PERMITS.lackedBy(store),
						"Use one Redis, Sentinel or Cluster for semaphores, or leave them out"))
				.ifPresent(found::add));
		if (!found.isEmpty()) {
			throw InvalidLockDefinitionException.of(found);
		}
	}

}
