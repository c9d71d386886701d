package io.distlock.spring.startup;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedBeanMethod;

/**
 * Refuses semaphores at startup if the store cannot keep permits, instead of at the first
 * call.
 */
public final class PermitCheck implements SmartInitializingSingleton {

	private final LockedBeanValidator validator;

	private final Supplier<Optional<String>> whyNoPermits;

	/**
	 * Creates a check.
	 * @param validator has found the annotated methods
	 * @param whyNoPermits why the store cannot keep permits; empty if it can
	 */
	public PermitCheck(LockedBeanValidator validator, Supplier<Optional<String>> whyNoPermits) {
		this.validator = validator;
		this.whyNoPermits = whyNoPermits;
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<LockedBeanMethod> semaphores = this.validator.places()
			.stream()
			.filter((place) -> place.permits() != null)
			.toList();
		if (!semaphores.isEmpty()) {
			this.whyNoPermits.get().ifPresent((reason) -> {
				throw InvalidLockDefinitionException.of(semaphores.stream()
					.map((place) -> place.invalid("there are no permits: " + reason,
							"Use one Redis, Sentinel or Cluster for semaphores, or leave them out"))
					.toList());
			});
		}
	}

}
