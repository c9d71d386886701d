package io.distlock.records;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

import io.distlock.records.CommandQueue.Turn;
import io.distlock.records.place.LockRecords;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who executes the commands of a lock. */
class CommandQueueTests {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private final Queue<Turn> goingOn = new ArrayDeque<>();

	private int rests;

	private long nanos;

	private final CommandQueue queue = new CommandQueue(() -> this.nanos, PATIENCE.toNanos(),
			new CommandQueue.Followers() {

				@Override
				public void goOn(Turn next) {
					CommandQueueTests.this.goingOn.add(next);
				}

				@Override
				public void rest() {
					CommandQueueTests.this.rests++;
				}

			});

	@Test
	void theTurnBelongsToTheFirstCommandUntilNothingIsLeft() {
		Turn turn = added();
		assertThat(turn.begin()).hasSize(1);
		assertThat(add()).as("goes with the present turn").isEmpty();
		assertThat(isAtRest()).isFalse();
		turn.executed();
		turn.close();
		assertThat(this.rests).isZero();
		Turn next = this.goingOn.remove();
		assertThat(next.begin()).hasSize(1);
		next.executed();
		next.close();
		assertThat(this.goingOn).isEmpty();
		assertThat(this.rests).isEqualTo(1);
		assertThat(isAtRest()).isTrue();
		assertThat(add()).isPresent();
	}

	@Test
	void aTurnThatEndedGetsNoCommandsAndEndsNoOther() {
		Turn turn = added();
		Turn passed = turn.pass();
		assertThat(turn.begin()).isEmpty();
		turn.close();
		assertThat(this.rests).isZero();
		assertThat(passed.begin()).hasSize(1);
		passed.executed();
		passed.close();
		passed.close();
		assertThat(this.rests).isEqualTo(1);
	}

	@Test
	void aTurnThatNobodyBeginsGoesToTheNextCommandSoon() {
		Turn lost = added();
		pass(Duration.ofMillis(19));
		assertThat(add()).isEmpty();
		pass(Duration.ofMillis(1));
		Turn next = added();
		assertThat(next.begin()).hasSize(3);
		assertThat(lost.begin()).isEmpty();
		assertThat(next.memory().isUncertain()).as("nothing was under way").isFalse();
	}

	@Test
	void aTurnWhoseChangeNeverEndsGoesToTheNextCommandWhenNothingOfItCanStillBegin() {
		Turn lost = added();
		assertThat(lost.begin()).hasSize(1);
		LastKnownRecord before = lost.memory();
		before.taking(7);
		before.setUncertain(true);
		pass(TIMEOUT.plus(PATIENCE).minusNanos(1));
		assertThat(add()).isEmpty();
		pass(Duration.ofNanos(1));
		Turn next = added();
		assertThat(next.memory()).isNotSameAs(before);
		assertThat(next.memory().isUncertain()).isTrue();
		assertThat(next.memory().takeFloor()).isEqualTo(7);
		lost.close();
		assertThat(next.begin()).hasSize(2);
	}

	/** As after an error: what was under way may still be executed. */
	@Test
	void aTurnThatEndsBeforeItsChangeIsFollowedByOneThatReliesOnNothing() {
		Turn failed = added();
		failed.begin();
		failed.memory()
			.know(Optional.of(new LockRecords.Seen(new LockRecords.Expected.Absent(), "", 0,
					new LockRecords.StoreTime(0, 1, "", (incarnation) -> false))));
		add();
		failed.close();
		Turn next = this.goingOn.remove();
		assertThat(next.begin()).hasSize(1);
		assertThat(next.memory().known()).isEmpty();
	}

	/** Otherwise the commands that are pending would wait for the thread that failed. */
	@Test
	void aTurnThatIsToGoOnGoesToTheNextCommandIfThatComesFirst() {
		Turn turn = added();
		turn.begin();
		add();
		turn.executed();
		turn.close();
		Turn taken = added();
		assertThat(taken.begin()).hasSize(2);
		Turn scheduled = this.goingOn.remove();
		assertThat(scheduled.begin()).isEmpty();
		scheduled.close();
		assertThat(this.rests).isZero();
	}

	@Test
	void aReleaseWaitsForARequestIfOneFollowedTheLastRelease() {
		Turn first = added(RecordCommand.Kind.RELEASE);
		assertThat(first.awaitsRequest()).as("none has followed yet").isFalse();
		follow(first);
		Turn second = added(RecordCommand.Kind.RELEASE);
		assertThat(second.awaitsRequest()).isTrue();
		second.begin();
		second.executed();
		second.close();
		assertThat(added(RecordCommand.Kind.RELEASE).awaitsRequest()).as("none followed the last one").isFalse();
	}

	@Test
	void aReleaseThatIsNotAloneWaitsForNoRequest() {
		follow(added(RecordCommand.Kind.RELEASE));
		Turn turn = added(RecordCommand.Kind.RELEASE);
		add();
		assertThat(turn.awaitsRequest()).isFalse();
	}

	@Test
	void aRequestThatFollowsTakesTheTurnOfTheReleaseAtOnce() {
		follow(added(RecordCommand.Kind.RELEASE));
		Turn waiting = added(RecordCommand.Kind.RELEASE);
		assertThat(waiting.awaitsRequest()).isTrue();
		assertThat(added().begin()).hasSize(2);
		assertThat(waiting.begin()).isEmpty();
	}

	/** A request comes before the release is answered, and is answered. */
	private void follow(Turn release) {
		release.begin();
		add();
		release.executed();
		release.close();
		Turn request = this.goingOn.remove();
		request.begin();
		request.executed();
		request.close();
	}

	private Turn added() {
		return add().orElseThrow();
	}

	private Turn added(RecordCommand.Kind kind) {
		return add(kind).orElseThrow();
	}

	private Optional<Turn> add() {
		return add(RecordCommand.Kind.TAKE);
	}

	private Optional<Turn> add(RecordCommand.Kind kind) {
		long deadline = this.nanos + TIMEOUT.toNanos();
		return this.queue.add(new RecordCommand<>(kind, deadline, (state, time) -> () -> true));
	}

	private boolean isAtRest() {
		return this.queue.atRest((memory) -> true);
	}

	private void pass(Duration duration) {
		this.nanos += duration.toNanos();
	}

}
