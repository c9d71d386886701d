package io.distlock.leader;

import io.distlock.internal.AllocationFaults;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * No memory is left for one object of an election or of its store on Redis, whichever:
 * the election goes on.
 */
@Isolated // one allocation of the process fails
class RedisFailingElectionTests {

	@Test
	void electionWhenAnAllocationFailsThenItGoesOn() throws Throwable {
		new AllocationFaults().run(RedisFailingElections.class, "failEach", "indexer");
	}

}
