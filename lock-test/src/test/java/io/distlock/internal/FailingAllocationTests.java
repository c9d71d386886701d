package io.distlock.internal;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * No memory is left for one object, whichever: the caller gets an error, and nothing of
 * its locks is renewed for ever.
 */
@Isolated // one allocation of the process fails
class FailingAllocationTests {

	@ParameterizedTest
	@EnumSource(names = { "EXECUTE", "ACQUIRE_ASYNC" })
	void callWhenAnAllocationFailsThenNothingIsKept(FailingAllocation call) throws Throwable {
		fail(call);
	}

	@ParameterizedTest
	@Tag("ci")
	@EnumSource(mode = Mode.EXCLUDE, names = { "EXECUTE", "ACQUIRE_ASYNC" })
	void otherCallWhenAnAllocationFailsThenNothingIsKept(FailingAllocation call) throws Throwable {
		fail(call);
	}

	private static void fail(FailingAllocation call) throws Throwable {
		new AllocationFaults().run(VirtualFailingAllocations.class, "failEach", call.name());
	}

}
