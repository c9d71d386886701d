package io.distlock.internal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No memory is left for one object of an engine or of its store on records, whichever:
 * the caller gets an error, and nothing of its locks is renewed for ever.
 */
@Tag("ci")
@Isolated // one allocation of the process fails
class RecordFailingAllocationTests {

	@ParameterizedTest
	@EnumSource(FailingAllocation.class)
	void callWhenAnAllocationFailsThenNothingIsKept(FailingAllocation call) throws Throwable {
		new AllocationFaults().run(RecordFailingAllocations.class, "failEachByClock", call.name());
	}

	@ParameterizedTest
	@EnumSource(FailingAllocation.class)
	void callWhenAnAllocationFailsInASessionThenNothingIsKept(FailingAllocation call) throws Throwable {
		new AllocationFaults().run(RecordFailingAllocations.class, "failEachInSessions", call.name());
	}

}
