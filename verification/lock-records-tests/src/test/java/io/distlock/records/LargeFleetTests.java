package io.distlock.records;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.records.place.RecordTraits.Lifetime;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More processes than have a place in line want one lock, on virtual time and on a place
 * that needs up to 20 ms for a call. No command of a waiter fails because of the others.
 */
@Tag("ci")
class LargeFleetTests {

	/** More than have a place. */
	private static final int WAITERS = 320;

	private static final Duration WORK = Duration.ofMillis(1);

	/** The kinds of places. */
	enum Kind {

		DATABASE(Lifetime.CLOCK, false), DATABASE_THAT_NOTIFIES(Lifetime.CLOCK, true),
		ZOOKEEPER(Lifetime.SESSION, true);

		private final Lifetime lifetime;

		private final boolean notifies;

		Kind(Lifetime lifetime, boolean notifies) {
			this.lifetime = lifetime;
			this.notifies = notifies;
		}

		VirtualFleet fleet() {
			return new VirtualFleet(this.lifetime, this.notifies, 10);
		}

	}

	private static VirtualFleet.Member holder(VirtualFleet fleet) {
		VirtualFleet.Member holder = fleet.join().ask();
		fleet.pass(Duration.ofSeconds(1));
		assertThat(holder.holds()).isTrue();
		return holder;
	}

	private static List<VirtualFleet.Member> waiters(VirtualFleet fleet) {
		return Stream.generate(fleet::join).limit(WAITERS).map((member) -> member.askToWork(WORK)).toList();
	}

	/** Nobody is told that the place is slow, or that others were faster. */
	@Test
	void noCommandFailsBecauseOfOthers() {
		VirtualFleet fleet = Kind.DATABASE.fleet();
		holder(fleet);
		waiters(fleet);
		fleet.pass(Duration.ofSeconds(3));
		assertThat(fleet.failures()).isEmpty();
	}

	/**
	 * The line stands still for a while. Then the leader dies, which sessions tell all at
	 * once, or releases the lock. From then on the place is fast, to keep the test short.
	 */
	@ParameterizedTest
	@EnumSource(Kind.class)
	void allAreServed(Kind kind) {
		VirtualFleet fleet = kind.fleet();
		VirtualFleet.Member leader = holder(fleet);
		List<VirtualFleet.Member> waiters = waiters(fleet);
		fleet.pass(Duration.ofSeconds(5));
		long calls = fleet.calls();
		long lost = fleet.lost();
		fleet.pass(Duration.ofSeconds(2));
		assertThat(fleet.calls() - calls).as("asks twice a second, and seldom writes").isLessThan(2 * 4 * WAITERS);
		assertThat(fleet.lost() - lost).as("writes against each other").isLessThan(2L * WAITERS / 2);
		if (kind == Kind.ZOOKEEPER) {
			leader.die();
			fleet.pass(Duration.ofSeconds(2));
		}
		else {
			leader.release();
		}
		fleet.speedUp();
		for (int i = 0; i < 600 && !waiters.stream().allMatch(VirtualFleet.Member::served); i++) {
			fleet.pass(Duration.ofSeconds(1));
		}
		assertThat(waiters).allMatch(VirtualFleet.Member::served);
		assertThat(fleet.failures()).isEmpty();
	}

}
