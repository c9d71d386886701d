package io.distlock.test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import org.junit.jupiter.api.AfterEach;

/**
 * Two processes on one server, on virtual time, which stands still unless a test moves
 * it. The store of the first one may misbehave.
 */
abstract class AbstractVirtualTimeTests {

	final VirtualClock clock = new VirtualClock();

	final InMemoryLockServer server = new InMemoryLockServer(this.clock, this::deliver);

	final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	final CloseableLockTemplate template;

	final CloseableLockTemplate elsewhere;

	AbstractVirtualTimeTests(LockSettings settings, LockSettings elsewhere) {
		this.template = LockTemplateBuilder.forStore(this.store).settings(settings).clock(this.clock).build();
		this.elsewhere = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
			.settings(elsewhere)
			.clock(this.clock)
			.build();
		this.clock.awaitThreads(2);
	}

	/** Delivers a message of the store. */
	void deliver(Runnable message) {
		this.clock.deliver(message);
	}

	@AfterEach
	void stopTemplates() {
		this.store.heal();
		this.clock.passDuring(() -> {
			this.template.close();
			this.elsewhere.close();
		});
	}

}
