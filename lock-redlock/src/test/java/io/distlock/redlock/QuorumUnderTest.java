package io.distlock.redlock;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A store on five nodes whose every answer is up to the test. */
final class QuorumUnderTest {

	static final String KEY = "stock";

	static final Duration LEASE = Duration.ofSeconds(20);

	static final RedlockSettings SETTINGS = RedlockSettings.DEFAULTS;

	final ManualTimer timer = new ManualTimer();

	final List<ControlledNode> nodes = Stream.of("n1", "n2", "n3", "n4", "n5").map(ControlledNode::new).toList();

	final RedlockStore store;

	/** What chance says next, from 0 to 1. */
	double chance = 0.5;

	QuorumUnderTest() {
		this((node) -> {
		});
	}

	QuorumUnderTest(Consumer<ControlledNode> beforeStart) {
		this.nodes.forEach(beforeStart);
		this.store = new RedlockStore(List.copyOf(this.nodes), SETTINGS, () -> this.timer, () -> this.chance);
		this.store.start("one", null);
	}

	CompletableFuture<AcquireResult> acquire(long number, boolean queue) {
		return acquire(number, queue, LEASE);
	}

	CompletableFuture<AcquireResult> acquire(long number, boolean queue, Duration lease) {
		Holder holder = new Holder("app", "host", "one", "thread", "caller", Instant.EPOCH);
		return this.store
			.acquire(new AcquireCommand(KEY, request(number), lease, Sharing.EXCLUSIVE, queue, 8, Duration.ofSeconds(1),
					holder))
			.toCompletableFuture();
	}

	/** All nodes grant and agree, with tokens around this one, which is what counts. */
	Grant acquired(long number, long token) {
		CompletableFuture<AcquireResult> answer = acquire(number, false);
		each((node) -> node.grant(token));
		each((node) -> node.accept(true));
		return ((AcquireResult.Granted) done(answer)).grant();
	}

	CompletableFuture<RenewResult> renew(long number, int tokens) {
		return this.store.renew(new RenewCommand(KEY, request(number), LEASE, tokens)).toCompletableFuture();
	}

	CompletableFuture<FinishResult> finish(long number) {
		return this.store.finish(KEY, request(number), Duration.ZERO).toCompletableFuture();
	}

	ControlledNode node(int number) {
		return this.nodes.get(number - 1);
	}

	void each(Consumer<ControlledNode> action, int... numbers) {
		if (numbers.length == 0) {
			this.nodes.forEach(action);
		}
		for (int number : numbers) {
			action.accept(node(number));
		}
	}

	void timeout() {
		this.timer.pass(SETTINGS.nodeTimeout());
	}

	/** The nodes that got the command to end something, once for each time. */
	List<String> told() {
		return this.nodes.stream().flatMap((node) -> node.finishes.stream().map((call) -> node.name())).toList();
	}

	static RequestId request(long number) {
		return new RequestId("one", number);
	}

	/** The answer, which must be there. */
	static <T> T done(CompletableFuture<T> answer) {
		assertThat(answer).isCompleted();
		return answer.join();
	}

	static LockStoreException failure(CompletableFuture<?> answer) {
		assertThat(answer).isCompletedExceptionally();
		Throwable thrown = catchThrowable(answer::join);
		assertThat(thrown).isInstanceOf(CompletionException.class).hasCauseInstanceOf(LockStoreException.class);
		return (LockStoreException) thrown.getCause();
	}

}
