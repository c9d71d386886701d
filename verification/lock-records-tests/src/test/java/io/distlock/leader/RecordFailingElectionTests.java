package io.distlock.leader;

import io.distlock.internal.AllocationFaults;
import io.distlock.records.place.RecordTraits.Lifetime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No memory is left for one object of an election or of its store on records, whichever:
 * the election goes on.
 */
@Isolated // one allocation of the process fails
@Tag("ci")
class RecordFailingElectionTests {

	@ParameterizedTest
	@EnumSource
	void electionWhenAnAllocationFailsThenItGoesOn(Lifetime lifetime) throws Throwable {
		new AllocationFaults().run(RecordFailingElections.class, "failEach", lifetime.name());
	}

}
