package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockSnapshot.Hold;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One caller holds the lock, and some nodes know something else. */
class MajorityViewTests {

	private static final RequestId OWNER = new RequestId("owner", 1);

	private static final RequestId OTHER = new RequestId("other", 1);

	@Test
	void lateNodeHasAHigherTokenThenThatOfMostCounts() {
		assertToken(11, node(OWNER, 11), node(OWNER, 11), node(OWNER, 12));
	}

	/** An attempt that lost has not ended yet on a minority. */
	@Test
	void anotherAttemptHasMoreNodesWithOneTokenThenItsTokenDoesNotCount() {
		assertToken(12, node(OWNER, 10), node(OWNER, 11), node(OWNER, 12), node(OTHER, 15), node(OTHER, 15));
	}

	@Test
	void noAttemptHasAMajorityThenNoHold() {
		LockSnapshot lock = view(node(OWNER, 10), node(OTHER, 11), node(new RequestId("third", 1), 12));
		assertThat(lock.holds()).isEmpty();
		assertThat(lock.fencingToken()).isEqualTo(12);
	}

	private static void assertToken(long token, LockSnapshot... nodes) {
		LockSnapshot lock = view(nodes);
		assertThat(lock.owner()).isEqualTo(QuorumRequest.ofAttempt(OWNER));
		assertThat(lock.fencingToken()).isEqualTo(token);
		assertThat(lock.holds()).extracting(Hold::fencingToken).containsExactly(token);
	}

	private static LockSnapshot view(LockSnapshot... nodes) {
		return MajorityView.of("key", Stream.of(nodes).toList(), nodes.length / 2 + 1);
	}

	private static LockSnapshot node(RequestId owner, long token) {
		return LockSnapshot.of("key", true, List.of(new Hold(owner, null, token, Duration.ofSeconds(9))), token,
				List.of());
	}

}
