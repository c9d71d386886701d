package io.distlock.leader;

import io.distlock.internal.AllocationFaults;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** No memory is left for one object of an election, whichever: the election goes on. */
@Isolated // one allocation of the process fails
@Tag("ci")
class FailingElectionTests {

	@Test
	void electionWhenAnAllocationFailsThenItGoesOn() throws Throwable {
		new AllocationFaults().run(FailingElections.class, "failEach", "indexer");
	}

}
