package io.distlock.test;

import java.util.List;
import java.util.Map;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.stores.LockTemplates;
import io.distlock.stores.SeveralStores;
import org.junit.jupiter.api.Tag;

/** A lock that is in two stores does what a lock in one does. */
@Tag("ci")
class MovingLockTemplateTests extends LockTemplateContract {

	private final InMemoryLockServer from = new InMemoryLockServer();

	private final InMemoryLockServer to = new InMemoryLockServer();

	@Override
	protected LockStore newStore() {
		return new InMemoryLockStore(this.from);
	}

	/** Its body still runs, and the other store knows. */
	@Override
	protected boolean freesLostLocks() {
		return false;
	}

	/** The keys of the contract begin with its name. */
	@Override
	protected CloseableLockTemplate newTemplate(LockStore store, LockSettings settings) {
		CloseableLockTemplate first = LockTemplateBuilder.forStore(store).settings(settings).build();
		CloseableLockTemplate second = LockTemplateBuilder.forStore(new InMemoryLockStore(this.to))
			.settings(settings)
			.build();
		return new SeveralStores(Map.of(LockTemplates.DEFAULT, first, "to", second),
				Map.of("contract", List.of(LockTemplates.DEFAULT, "to")), Map.of(), settings.waitTime());
	}

}
