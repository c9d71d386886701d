package io.distlock.spring.startup;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.distlock.LockMode;
import io.distlock.LockOptions;
import io.distlock.spi.Capability;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;

/**
 * Refuses at startup what the store of a lock would refuse at the first call: unsupported
 * permits and readers, and leases that are longer than the store's quarantine. Also
 * refuses a choice of a store that misses its lock by the spelling of the name.
 */
final class StoreLimitCheck {

	private final Supplier<LockStores> stores;

	/**
	 * Creates a check.
	 * @param stores finds the stores of each lock
	 */
	StoreLimitCheck(Supplier<LockStores> stores) {
		this.stores = stores;
	}

	void run(List<LockedBeanMethod> places) {
		Set<String> names = places.stream().map(LockedBeanMethod::name).collect(Collectors.toSet());
		List<InvalidLockDefinitionException> found = places.stream()
			.filter((place) -> place.method().configured().enabled())
			.flatMap((place) -> refusals(place, names))
			.toList();
		if (!found.isEmpty()) {
			throw InvalidLockDefinitionException.of(found);
		}
	}

	private Stream<InvalidLockDefinitionException> refusals(LockedBeanMethod place, Set<String> names) {
		LockOptions options = place.method().options();
		return Stream
			.of(store(place, names), permits(place), readers(place), lease(place, "leaseTime", options.leaseTime()),
					lease(place, "minHold", options.minHold()))
			.flatMap(Optional::stream);
	}

	private Optional<InvalidLockDefinitionException> store(LockedBeanMethod place, Set<String> names) {
		return this.stores.get()
			.misspelt(place.name())
			.filter((name) -> !names.contains(name))
			.map((name) -> place.invalid(
					"its name is '" + ForeignText.of(place.name()) + "', so distributed-lock.locks."
							+ ForeignText.of(name) + ".store does not choose its store",
					"Write the name exactly, in a file: distributed-lock.locks[" + ForeignText.of(place.name())
							+ "].store"));
	}

	private Optional<InvalidLockDefinitionException> permits(LockedBeanMethod place) {
		return (place.permits() == null) ? Optional.empty() : lacking(place, Capability.PERMITS, "there are no permits",
				"Use one Redis, Sentinel or Cluster for semaphores, or leave them out");
	}

	private Optional<InvalidLockDefinitionException> readers(LockedBeanMethod place) {
		return (place.attributes().mode() != LockMode.SHARED) ? Optional.empty() : lacking(place, Capability.SHARED,
				"there are no readers", "Leave out mode = LockMode.SHARED until the lock is in another store");
	}

	private Optional<InvalidLockDefinitionException> lacking(LockedBeanMethod place, Capability capability,
			String problem, String fix) {
		return this.stores.get()
			.of(place.name())
			.stream()
			.filter((store) -> store.unsupported().contains(capability))
			.findFirst()
			.map((store) -> place.invalid(problem + ": " + capability.lackedBy(store), fix));
	}

	private Optional<InvalidLockDefinitionException> lease(LockedBeanMethod place, String attribute,
			@Nullable Duration time) {
		return (time == null) ? Optional.empty() : this.stores.get()
			.longestLease(place.name())
			.filter((longest) -> time.compareTo(longest) > 0)
			.map((longest) -> place.invalid(
					attribute + " " + DurationText.of(time) + " is longer than the quarantine of "
							+ DurationText.of(longest)
							+ ", after which a server that lost its data could grant the lock a second time",
					"Shorten it, or raise the quarantine of the store (distributed-lock.redis.quarantine or failover-delay, distributed-lock.redlock.quarantine)"));
	}

}
