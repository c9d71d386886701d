package io.distlock.internal;

import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No memory is left for one object, whichever: the caller gets an error, and nothing of
 * its locks is renewed for ever.
 */
@Isolated // one allocation of the process fails
class FailingAllocationTests {

	@ParameterizedTest
	@EnumSource(FailingAllocation.class)
	void callWhenAnAllocationFailsThenNothingIsKept(FailingAllocation call) throws Throwable {
		new AllocationFaults().run(VirtualFailingAllocations.class, "failEach", call.name());
	}

}
