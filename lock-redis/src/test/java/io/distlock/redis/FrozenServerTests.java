package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.support.FutureFailures;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * A Redis that is frozen costs each call one command timeout. In real time: the bound
 * leaves room for a busy machine, and is below two timeouts. The exact rule is checked on
 * virtual time, in lock-test.
 */
@Execution(ExecutionMode.CONCURRENT)
class FrozenServerTests {

	/** The default. */
	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	/**
	 * One after the other takes ten times as long; the rest is for a busy machine.
	 */
	private static final Duration BOUND = TIMEOUT.plusSeconds(5);

	private final RedisServer server = RedisServer.builder().start();

	private RedisConnectionFactory factory;

	private TemplatesUnderTest templates;

	@AfterEach
	void stop() {
		this.server.resume();
		this.templates.close();
		Client.close(this.factory);
		this.server.close();
	}

	private CloseableLockTemplate start(Client client) {
		this.factory = client.connect(this.server);
		this.templates = new TemplatesUnderTest(this.factory, RedisLockStoreSettings.DEFAULTS);
		return this.templates.add();
	}

	/** Other keys each time. */
	private static LockRequest keys(int count) {
		String prefix = UUID.randomUUID() + ":";
		return LockRequest.ofAll(IntStream.range(0, count).mapToObj((key) -> prefix + key).toList());
	}

	private static LockHandle acquired(CloseableLockTemplate template, int count) {
		return TemplatesUnderTest.acquired(() -> template.acquire(keys(count)));
	}

	private static void expectOneTimeout(String what, Callable<?> call) throws Exception {
		Duration time = Standstill.timed(call::call);
		LoggerFactory.getLogger(FrozenServerTests.class).info("{}: {} ms", what, time.toMillis());
		assertThat(time).as(what).isLessThan(BOUND);
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void closeThenOneTimeoutForAllKeys(Client client) throws Exception {
		CloseableLockTemplate template = start(client);
		List<LockHandle> held = Stream.of(1, 10, 100).map((count) -> acquired(template, count)).toList();
		this.server.pause();
		for (LockHandle locks : held) {
			expectOneTimeout("close of " + locks.parts().size(), () -> {
				locks.close();
				return null;
			});
		}
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void closeAsyncThenOneTimeoutForAllKeys(Client client) throws Exception {
		CloseableLockTemplate template = start(client);
		LockHandle locks = acquired(template, 100);
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<Void> begun = new CompletableFuture<>();
		CompletionStage<String> result = template.executeAsync(keys(10), (lock) -> {
			begun.complete(null);
			return work;
		});
		TestThreads.get(begun);
		this.server.pause();
		work.complete("done");
		expectOneTimeout("result under 10 locks", () -> TestThreads.get(result));
		expectOneTimeout("closeAsync of 100", () -> TestThreads.get(locks.closeAsync()));
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void acquireThenAllCallersFailTogether(Client client) throws Exception {
		CloseableLockTemplate template = start(client);
		LockRequest permit = LockRequest.of("tax-office").permits(2).waitAtMost(Duration.ofSeconds(30));
		this.server.pause();
		for (int callers : List.of(40, 400)) {
			expectOneTimeout(callers + " callers of permits", () -> {
				List<CompletionStage<LockHandle>> all = Stream.generate(() -> template.acquireAsync(permit))
					.limit(callers)
					.toList();
				for (CompletionStage<LockHandle> one : all) {
					assertThat(FutureFailures.unwrap(catchThrowable(one.toCompletableFuture()::join)))
						.isInstanceOf(LockStoreException.class);
				}
				return null;
			});
		}
	}

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void closeOfTheTemplateThenOneTimeoutForAllReleases(Client client) throws Exception {
		CloseableLockTemplate template = start(client);
		LockHandle locks = acquired(template, 10);
		this.server.pause();
		locks.closeAsync();
		expectOneTimeout("close of the template", () -> {
			template.close();
			return null;
		});
	}

}
