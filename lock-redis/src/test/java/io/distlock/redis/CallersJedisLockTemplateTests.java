package io.distlock.redis;

import io.distlock.spi.LockStore;
import io.distlock.test.FairLockTemplateContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The contract, with callers that execute their commands themselves. */
@Tag("ci")
@Execution(ExecutionMode.SAME_THREAD) // for a pool of usual size
class CallersJedisLockTemplateTests extends FairLockTemplateContract {

	private static CallersJedis factory;

	@BeforeAll
	static void start() {
		factory = CallersJedis.connect(SharedServers.standalone(), 16);
	}

	@AfterAll
	static void stop() {
		Client.close(factory);
	}

	@Override
	protected LockStore newStore() {
		return new RedisLockStore(factory, SharedServers.PATIENT);
	}

}
