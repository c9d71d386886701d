package io.distlock.autoconfigure.actuate;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.spi.LockStore;
import io.distlock.spring.startup.LockDefinition;
import io.distlock.spring.startup.LockDefinitions;

/** Where the endpoint has from what the operations do not know. */
final class LocksSource {

	private final Supplier<String> store;

	private final CloseableLockTemplate template;

	private final Supplier<List<LockDefinition>> definitions;

	LocksSource(Supplier<LockStore> store, CloseableLockTemplate template, LockDefinitions definitions) {
		this.store = () -> {
			LockStore known = store.get();
			return (known != null) ? known.describe() : "a template of the application's own";
		};
		this.template = template;
		this.definitions = definitions::all;
	}

	String store() {
		return this.store.get();
	}

	Duration renewalLag() {
		return this.template.renewalLag();
	}

	List<LockDefinition> definitions() {
		return this.definitions.get();
	}

}
