package io.distlock.records;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.distlock.records.CommandQueue.Turn;
import io.distlock.records.place.LockRecords;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Who executes the commands of a lock. */
class CommandQueueTests {

	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final CompletableFuture<?> DONE = CompletableFuture.completedFuture("done");

	private int later;

	private int atOnce;

	private int rests;

	private long nanos;

	private final CommandQueue queue = new CommandQueue(() -> this.nanos, PATIENCE.toNanos(),
			new CommandQueue.Followers() {

				@Override
				public void run() {
					CommandQueueTests.this.atOnce++;
				}

				@Override
				public void runLater() {
					CommandQueueTests.this.later++;
				}

				@Override
				public void rest() {
					CommandQueueTests.this.rests++;
				}

			});

	@Test
	void theTurnBelongsToTheFirstCommandUntilNothingIsLeft() {
		assertThat(add()).isTrue();
		try (Turn turn = this.queue.take()) {
			assertThat(turn.commands()).hasSize(1);
			assertThat(add()).as("goes with the next turn").isFalse();
			assertThat(isAtRest()).isFalse();
			turn.lastsUntil(DONE);
		}
		assertThat(this.later).isEqualTo(1);
		assertThat(this.rests).isZero();
		assertThat(executed()).isEqualTo(1);
		assertThat(this.later).isEqualTo(1);
		assertThat(this.rests).isEqualTo(1);
		assertThat(isAtRest()).isTrue();
		assertThat(add()).isTrue();
	}

	@Test
	void aTurnIsGivenToOne() {
		add();
		try (Turn turn = this.queue.take()) {
			add();
			assertThat(executed()).as("while another turn lasts").isZero();
			assertThat(this.rests + this.later).as("ends no other").isZero();
			turn.lastsUntil(DONE);
		}
	}

	/**
	 * The thread of the first command may need no turn any more, so the second command
	 * must not wait for it.
	 */
	@Test
	void aCommandThatAnotherThreadHasExecutedReservesNothing() {
		RecordCommand<?> first = added(RecordCommand.Kind.RELEASE);
		assertThat(executed()).isEqualTo(1);
		RecordCommand<?> second = added(RecordCommand.Kind.RELEASE);
		assertThat(this.queue.isReservedFor(first)).isFalse();
		assertThat(this.queue.isReservedFor(second)).isTrue();
	}

	@Test
	void aTurnThatIsClosedTwiceEndsOnce() {
		add();
		try (Turn turn = this.queue.take()) {
			turn.lastsUntil(DONE);
			turn.close();
		}
		assertThat(this.rests).isEqualTo(1);
	}

	/** No other turn begins before the answer. */
	@Test
	void aTurnLastsUntilItsChangeIsOver() {
		CompletableFuture<Object> change = new CompletableFuture<>();
		add();
		try (Turn turn = this.queue.take()) {
			turn.lastsUntil(change);
		}
		assertThat(add()).isFalse();
		assertThat(executed()).isZero();
		assertThat(isAtRest()).isFalse();
		change.complete("written");
		assertThat(this.atOnce).isEqualTo(1);
		assertThat(executed()).isEqualTo(1);
		assertThat(this.later).isZero();
		assertThat(this.rests).isEqualTo(1);
	}

	@Test
	void aTurnThatNobodyTakesGoesToTheNextCommandSoon() {
		assertThat(add()).isTrue();
		pass(Duration.ofMillis(19));
		assertThat(add()).isFalse();
		pass(Duration.ofMillis(1));
		assertThat(add()).isTrue();
		try (Turn turn = this.queue.take()) {
			assertThat(turn.commands()).hasSize(3);
			assertThat(turn.abandoned()).isEmpty();
		}
		assertThat(executed()).as("the thread that comes late").isZero();
	}

	@Test
	void aTurnWhoseChangeNeverEndsGoesToTheNextCommandWhenNothingOfItCanStillBegin() {
		CompletableFuture<Object> change = new CompletableFuture<>();
		add();
		LastKnownRecord before;
		try (Turn lost = this.queue.take()) {
			before = lost.memory();
			before.taking(7);
			before.setUncertain(true);
			lost.lastsUntil(change);
		}
		pass(TIMEOUT.plus(PATIENCE).minusNanos(1));
		assertThat(add()).isFalse();
		assertThat(executed()).isZero();
		pass(Duration.ofNanos(1));
		assertThat(add()).isTrue();
		try (Turn next = this.queue.take()) {
			assertThat(next.commands()).hasSize(2);
			assertThat(next.abandoned()).hasSize(1);
			assertThat(next.memory()).isNotSameAs(before);
			assertThat(next.memory().isUncertain()).isTrue();
			assertThat(next.memory().takeFloor()).isEqualTo(7);
			change.complete("after all");
			assertThat(this.rests).as("ends no other").isZero();
			next.lastsUntil(DONE);
		}
		assertThat(this.rests).isEqualTo(1);
	}

	/** As after an error: what was under way may still be executed. */
	@Test
	void aTurnThatEndsBeforeItsChangeIsFollowedByOneThatReliesOnNothing() {
		add();
		try (Turn failed = this.queue.take()) {
			know(failed.memory());
			add();
		}
		assertThat(this.later).isEqualTo(1);
		try (Turn next = this.queue.take()) {
			assertThat(next.commands()).hasSize(1);
			assertThat(next.abandoned()).hasSize(1);
			assertThat(next.memory().known()).isEmpty();
			know(next.memory());
			next.lastsUntil(DONE);
		}
		add();
		try (Turn third = this.queue.take()) {
			assertThat(third.abandoned()).isEmpty();
			assertThat(third.memory().known()).isPresent();
		}
	}

	private static void know(LastKnownRecord memory) {
		memory.know(Optional.of(new LockRecords.Seen(new LockRecords.Expected.Absent(), "", 0,
				new LockRecords.StoreTime(0, 1, "", (incarnation) -> false))));
	}

	/** Otherwise the commands that are pending would wait for the thread that failed. */
	@Test
	void whatIsToBeExecutedLaterGoesWithTheNextCommandIfThatComesFirst() {
		add();
		try (Turn turn = this.queue.take()) {
			add();
			turn.lastsUntil(DONE);
		}
		assertThat(this.later).isEqualTo(1);
		assertThat(add()).isTrue();
		assertThat(executed()).isEqualTo(2);
		assertThat(this.rests).isEqualTo(1);
		assertThat(executed()).isZero();
		assertThat(this.rests).isEqualTo(1);
	}

	@Test
	void aReleaseWaitsForARequestIfOneFollowedTheLastRelease() {
		add(RecordCommand.Kind.RELEASE);
		assertThat(this.queue.awaitsRequest()).as("none has followed yet").isFalse();
		follow();
		add(RecordCommand.Kind.RELEASE);
		assertThat(this.queue.awaitsRequest()).isTrue();
		executed();
		add(RecordCommand.Kind.RELEASE);
		assertThat(this.queue.awaitsRequest()).as("none followed the last one").isFalse();
	}

	@Test
	void aReleaseThatIsNotAloneWaitsForNoRequest() {
		add(RecordCommand.Kind.RELEASE);
		follow();
		add(RecordCommand.Kind.RELEASE);
		add();
		assertThat(this.queue.awaitsRequest()).isFalse();
	}

	@Test
	void aReleaseOfALockThatOthersWaitForWaitsForNoRequest() {
		add(RecordCommand.Kind.RELEASE);
		follow();
		assertThat(add(RecordCommand.Kind.LOOK)).isTrue();
		try (Turn turn = this.queue.take()) {
			turn.memory().setAwaited(true);
			turn.lastsUntil(DONE);
		}
		add(RecordCommand.Kind.RELEASE);
		assertThat(this.queue.awaitsRequest()).isFalse();
	}

	@Test
	void aRequestThatFollowsTakesTheTurnOfTheReleaseAtOnce() {
		add(RecordCommand.Kind.RELEASE);
		follow();
		add(RecordCommand.Kind.RELEASE);
		assertThat(this.queue.awaitsRequest()).isTrue();
		assertThat(add()).isTrue();
		assertThat(executed()).isEqualTo(2);
		assertThat(executed()).isZero();
	}

	/** A request comes before the release is answered, and is answered. */
	private void follow() {
		try (Turn release = this.queue.take()) {
			add();
			release.lastsUntil(DONE);
		}
		executed();
	}

	/** Takes the turn and executes its commands. */
	private int executed() {
		try (Turn turn = this.queue.take()) {
			turn.lastsUntil(DONE);
			return turn.commands().size();
		}
	}

	private boolean add() {
		return add(RecordCommand.Kind.TAKE);
	}

	private boolean add(RecordCommand.Kind kind) {
		return this.queue.isReservedFor(added(kind));
	}

	private RecordCommand<?> added(RecordCommand.Kind kind) {
		long deadline = this.nanos + TIMEOUT.toNanos();
		RecordCommand<?> command = new RecordCommand<>(kind, deadline, (state, time) -> () -> true);
		this.queue.add(command);
		return command;
	}

	private boolean isAtRest() {
		return this.queue.atRest((memory) -> true);
	}

	private void pass(Duration duration) {
		this.nanos += duration.toNanos();
	}

}
