package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.spi.LockStore;

/**
 * The templates of one test, all on one kind of store, and a separate key for the test.
 */
@SuppressWarnings("NullAway")
final class ContractTemplates implements AutoCloseable {

	private static final LockSettings SETTINGS = LockSettings.builder()
		.waitTime(Duration.ZERO)
		.leaseTime(Duration.ofSeconds(30))
		.commandTimeout(Duration.ofSeconds(10))
		.application("app")
		.host("host")
		.build();

	private final Supplier<LockStore> stores;

	private final BiFunction<LockStore, LockSettings, CloseableLockTemplate> factory;

	private final BooleanSupplier freesLostLocks;

	private final String key = "contract:" + UUID.randomUUID();

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	ContractTemplates(Supplier<LockStore> stores, BiFunction<LockStore, LockSettings, CloseableLockTemplate> factory,
			BooleanSupplier freesLostLocks) {
		this.stores = stores;
		this.factory = factory;
		this.freesLostLocks = freesLostLocks;
	}

	/** Returns whether others may acquire a lock as soon as it was lost. */
	boolean freesLostLocks() {
		return this.freesLostLocks.getAsBoolean();
	}

	String key() {
		return this.key;
	}

	LockStore newStore() {
		return this.stores.get();
	}

	CloseableLockTemplate template() {
		return template(SETTINGS);
	}

	CloseableLockTemplate template(LockSettings settings) {
		return template(newStore(), settings);
	}

	/**
	 * Creates a template. The first command may wait for a connection, which takes long
	 * on a busy machine.
	 */
	CloseableLockTemplate template(LockStore store, LockSettings settings) {
		CloseableLockTemplate template = this.factory.apply(store, settings);
		this.templates.add(template);
		LockRequest first = LockRequest.of(this.key + ":first:" + template.instance()).waitAtMost(Duration.ZERO);
		if (!Pause.atMost(TestThreads.LIMIT, () -> answers(template, first))) {
			throw new AssertionError("The store does not answer");
		}
		return template;
	}

	private static boolean answers(CloseableLockTemplate template, LockRequest request) {
		try {
			template.acquire(request).close();
			return true;
		}
		catch (LockException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		this.templates.forEach(CloseableLockTemplate::close);
	}

}
