package io.distlock.internal.waiting;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

class CallerTasksTests {

	private final List<String> done = new ArrayList<>();

	private final CallerTasks tasks = new CallerTasks();

	@Test
	void offerThenNothingRunsBeforeTheCallerRunsIt() {
		assertThat(this.tasks.offer(() -> this.done.add("command"))).isTrue();
		assertThat(this.done).isEmpty();
		this.tasks.runTasks();
		assertThat(this.done).containsExactly("command");
	}

	@Test
	void offerWhenOneIsAcceptedThenRefused() {
		this.tasks.offer(() -> this.done.add("command"));
		assertThat(this.tasks.offer(() -> this.done.add("other"))).isFalse();
		this.tasks.runTasks();
		assertThat(this.done).containsExactly("command");
	}

	@Test
	void offerFromWithinATaskThenRunsAfterIt() {
		this.tasks.offer(() -> {
			assertThat(this.tasks.offer(() -> this.done.add("repetition"))).isTrue();
			this.done.add("command");
		});
		this.tasks.runTasks();
		assertThat(this.done).containsExactly("command", "repetition");
	}

	@Test
	void offerWhenTheCallerWaitsThenRefused() {
		this.tasks.runTasks();
		assertThat(this.tasks.offer(() -> this.done.add("command"))).isFalse();
	}

	@Test
	void offerOnAnotherThreadThenRefused() {
		assertThat(CompletableFuture.supplyAsync(() -> this.tasks.offer(() -> this.done.add("command"))).join())
			.isFalse();
		this.tasks.runTasks();
		assertThat(this.done).isEmpty();
	}

	@Test
	void offerWhenInterruptedThenRefusedAndStillInterrupted() {
		Thread.currentThread().interrupt();
		assertThat(this.tasks.offer(() -> this.done.add("command"))).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void runWhenATaskFailsThenTheNextRunsAndTheCallerLearnsItsOutcome() {
		this.tasks.offer(() -> {
			this.tasks.offer(() -> this.done.add("repetition"));
			throw new NoClassDefFoundError("broken client");
		});
		assertThatCode(this.tasks::runTasks).doesNotThrowAnyException();
		assertThat(this.done).containsExactly("repetition");
		assertThat(this.tasks.offer(() -> this.done.add("late"))).isFalse();
	}

}
