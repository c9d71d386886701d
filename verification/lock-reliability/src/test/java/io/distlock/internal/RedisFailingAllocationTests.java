package io.distlock.internal;

import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No memory is left for one object of an engine or of its store on Redis, whichever: the
 * caller gets an error, and nothing of its locks is renewed for ever.
 */
@Isolated // one allocation of the process fails
class RedisFailingAllocationTests {

	@ParameterizedTest
	@EnumSource
	void callWhenAnAllocationFailsThenNothingIsKept(RedisFailingAllocations.Client client) throws Throwable {
		new AllocationFaults().run(RedisFailingAllocations.class, "failEach", client.name());
	}

}
