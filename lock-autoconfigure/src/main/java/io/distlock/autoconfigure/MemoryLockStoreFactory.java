package io.distlock.autoconfigure;

import io.distlock.memory.InMemoryLockStore;

/** Makes stores in this process, for tests and applications that run once. */
final class MemoryLockStoreFactory implements LockStoreFactory {

	static final String TYPE = "memory";

	@Override
	public String type() {
		return TYPE;
	}

	@Override
	public CreatedStore create(Definition definition) {
		return new CreatedStore(new InMemoryLockStore());
	}

}
