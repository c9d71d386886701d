package io.distlock.records;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Whose turn it is to execute the commands of a lock. */
class CommandQueueTests {

	private final CommandQueue queue = new CommandQueue();

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

	@Test
	void requestThatHasComeIsNotAwaitedAnyMore() {
		this.queue.add(release());
		follow();
		this.queue.add(release());
		assertThat(this.queue.awaitFollower()).isTrue();
		assertThat(this.queue.add(take())).isTrue();
		assertThat(this.queue.takeUnfollowed()).isFalse();
		assertThat(this.queue.removeAll()).hasSize(2);
	}

	/** A request comes before the release is answered, and is answered. */
	private void follow() {
		this.queue.removeAll();
		this.queue.add(take());
		this.queue.removeAll();
		this.queue.endIfEmpty();
	}

	private static RecordCommand<?> take() {
		return command(RecordCommand.Kind.TAKE);
	}

	private static RecordCommand<?> release() {
		return command(RecordCommand.Kind.RELEASE);
	}

	private static RecordCommand<?> command(RecordCommand.Kind kind) {
		return new RecordCommand<>(kind, 0, (state, time) -> () -> true);
	}

}
