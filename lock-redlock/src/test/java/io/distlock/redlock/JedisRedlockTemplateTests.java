package io.distlock.redlock;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("ci")
@Execution(ExecutionMode.SAME_THREAD) // for a pool of usual size
class JedisRedlockTemplateTests extends AbstractRedlockTemplateTests {

	JedisRedlockTemplateTests() {
		super(Client.JEDIS);
	}

}
