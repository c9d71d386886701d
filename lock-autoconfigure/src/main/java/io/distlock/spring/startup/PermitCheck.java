package io.distlock.spring.startup;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.spi.Capability;
import io.distlock.spi.LockStore;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedBeanMethod;

/**
 * Refuses semaphores at startup if the store cannot keep permits, instead of at the first
 * call.
 */
public final class PermitCheck implements SmartInitializingSingleton {

	private final LockedBeanValidator validator;

	private final Supplier<Optional<LockStore>> store;

	/**
	 * Creates a check.
	 * @param validator has found the annotated methods
	 * @param store the store, empty if there is none
	 */
	public PermitCheck(LockedBeanValidator validator, Supplier<Optional<LockStore>> store) {
		this.validator = validator;
		this.store = store;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<LockedBeanMethod> semaphores = this.validator.places()
			.stream()
			.filter((place) -> place.permits() != null)
			.toList();
		if (!semaphores.isEmpty()) {
			this.store.get().filter((store) -> store.unsupported().contains(Capability.PERMITS)).ifPresent((store) -> {
				throw InvalidLockDefinitionException.of(semaphores.stream()
					.map((place) -> place.invalid("there are no permits: " + Capability.PERMITS.lackedBy(store),
							"Use one Redis, Sentinel or Cluster for semaphores, or leave them out"))
					.toList());
			});
		}
	}

}
