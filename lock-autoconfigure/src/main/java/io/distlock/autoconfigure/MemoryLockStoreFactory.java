package io.distlock.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.ClassUtils;

import io.distlock.memory.InMemoryLockStore;

/** Makes stores in this process, for tests and applications that run once. */
final class MemoryLockStoreFactory implements LockStoreFactory {

	static final String TYPE = "memory";

	private static final Logger logger = LoggerFactory.getLogger(MemoryLockStoreFactory.class);

	private static final String ONLY_IN_TESTS = "org.springframework.test.context.TestContext";

	@Override
	public String type() {
		return TYPE;
	}

	@Override
	public CreatedStore create(Definition definition) {
		if (!ClassUtils.isPresent(ONLY_IN_TESTS, null)) {
			logger.warn(
					"The property {} is memory, so these locks exclude callers of this process only: if the "
							+ "application has several instances, set it to redis, jdbc or zookeeper",
					definition.path().equals(Definition.DEFAULT_PATH) ? definition.path() + "store"
							: definition.path() + "type");
		}
		return new CreatedStore(new InMemoryLockStore());
	}

}
