package io.distlock.records;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whose turn it is to execute the commands of a lock. */
class LaneQueueTests {

	private final LaneQueue queue = new LaneQueue();

	@Test
	void itIsTheTurnOfTheThreadThatAddsTheFirstCommandUntilNothingIsLeft() {
		assertThat(this.queue.add(take())).isTrue();
		assertThat(this.queue.removeAll()).hasSize(1);
		assertThat(this.queue.add(take())).as("executed by the same thread").isFalse();
		assertThat(this.queue.endIfEmpty()).isFalse();
		assertThat(this.queue.atRest(() -> true)).isFalse();
		assertThat(this.queue.removeAll()).hasSize(1);
		assertThat(this.queue.endIfEmpty()).isTrue();
		assertThat(this.queue.atRest(() -> true)).isTrue();
		assertThat(this.queue.add(take())).isTrue();
	}

	@Test
	void renewalsWaitForThoseOfOtherLocksUntilSomethingUrgentComes() {
		assertThat(this.queue.addPatient(renewal())).isTrue();
		assertThat(this.queue.addPatient(renewal())).as("waits as well").isFalse();
		assertThat(this.queue.atRest(() -> true)).isFalse();
		assertThat(this.queue.add(release())).isTrue();
		assertThat(this.queue.takeGathered()).isFalse();
		assertThat(this.queue.removeAll()).hasSize(3);
	}

	@Test
	void renewalsThatCameTooLateWaitAgainUnlessSomethingElseCame() {
		this.queue.addPatient(renewal());
		assertThat(this.queue.takeGathered()).isTrue();
		List<LaneJob<?>> late = this.queue.removeAll();
		assertThat(this.queue.putBack(late)).isTrue();
		assertThat(this.queue.takeGathered()).isTrue();
		assertThat(this.queue.removeAll()).isEqualTo(late);
		LaneJob<?> release = release();
		this.queue.add(release);
		assertThat(this.queue.putBack(late)).isFalse();
		assertThat(this.queue.removeAll()).containsExactly(late.get(0), release);
	}

	@Test
	void releaseWaitsForARequestIfOneFollowedTheLastRelease() {
		this.queue.add(release());
		assertThat(this.queue.awaitFollower()).as("none has followed yet").isFalse();
		follow();
		this.queue.add(release());
		assertThat(this.queue.awaitFollower()).isTrue();
		assertThat(this.queue.takeUnfollowed()).isTrue();
		this.queue.removeAll();
		this.queue.endIfEmpty();
		this.queue.add(release());
		assertThat(this.queue.awaitFollower()).as("none followed the last one").isFalse();
	}

	@Test
	void releaseThatIsNotAloneWaitsForNoRequest() {
		this.queue.add(release());
		follow();
		this.queue.add(release());
		this.queue.add(take());
		assertThat(this.queue.awaitFollower()).isFalse();
	}

	/** A release is sent by its own rule, not because renewals go together. */
	@Test
	void renewalsThatWaitedBeforeDoNotEndTheWaitOfARelease() {
		this.queue.addPatient(renewal());
		this.queue.add(release());
		follow();
		this.queue.add(release());
		assertThat(this.queue.awaitFollower()).isTrue();
		assertThat(this.queue.takeGathered()).isFalse();
		assertThat(this.queue.takeUnfollowed()).isTrue();
	}

	@Test
	void requestThatWasAwaitedBeforeDoesNotEndTheWaitOfRenewals() {
		this.queue.add(release());
		follow();
		this.queue.add(release());
		assertThat(this.queue.awaitFollower()).isTrue();
		assertThat(this.queue.add(take())).isTrue();
		this.queue.removeAll();
		this.queue.endIfEmpty();
		this.queue.addPatient(renewal());
		assertThat(this.queue.takeUnfollowed()).isFalse();
		assertThat(this.queue.takeGathered()).isTrue();
	}

	/** A request comes before the release is answered, and is answered. */
	private void follow() {
		this.queue.removeAll();
		this.queue.add(take());
		this.queue.removeAll();
		this.queue.endIfEmpty();
	}

	private static LaneJob<?> take() {
		return job(LaneJob.Kind.TAKE);
	}

	private static LaneJob<?> renewal() {
		return job(LaneJob.Kind.CHANGE);
	}

	private static LaneJob<?> release() {
		return job(LaneJob.Kind.RELEASE);
	}

	private static LaneJob<?> job(LaneJob.Kind kind) {
		return new LaneJob<>(kind, 0, (state, moment) -> () -> true);
	}

}
