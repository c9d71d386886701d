package io.distlock.redlock;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.SAME_THREAD) // for a pool of usual size
@Tag("ci")
class JedisRedlockStoreTests extends AbstractRedlockStoreTests {

	JedisRedlockStoreTests() {
		super(Client.JEDIS);
	}

}
