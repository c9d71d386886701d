package io.distlock.autoconfigure.actuate;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import org.springframework.beans.factory.ObjectProvider;

import io.distlock.CloseableLockTemplate;
import io.distlock.leader.LeaderElection;
import io.distlock.spi.LockStore;
import io.distlock.spring.startup.LockDefinitions;
import io.distlock.spring.startup.LockStores;

/**
 * Provides what the endpoint shows besides the operations.
 *
 * @param stores know the store of the application
 * @param templates has the template of the application
 * @param definitions describes the annotated methods
 * @param candidates has the leader elections of the application
 */
record LocksSource(ObjectProvider<LockStores> stores, ObjectProvider<CloseableLockTemplate> templates,
		LockDefinitions definitions, ObjectProvider<LeaderElection> candidates) {

	String store() {
		return this.stores.stream()
			.flatMap((known) -> known.of("").stream())
			.findFirst()
			.map(LockStore::describe)
			.orElse("a template of the application's own");
	}

	List<LeaderElection> elections() {
		return this.candidates.orderedStream().toList();
	}

	/**
	 * Returns the lag of renewals, empty if the application has several templates or a
	 * template of another kind.
	 */
	Optional<Duration> renewalLag() {
		return Optional.ofNullable(this.templates.getIfUnique()).map(CloseableLockTemplate::renewalLag);
	}

}
