package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.blockhound.BlockHound;
import reactor.blockhound.BlockingMethod;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.OnLost;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.redis.RedisLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.reactive.ReactiveLockTemplate;
import io.distlock.test.ChildJvm;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reactive locks block no event loop: what an event loop has to wait for is another
 * thread that computes, never a server or a busy lock. Jedis blocks threads of its own.
 * BlockHound changes the classes of its JVM, so it has one for itself.
 */
class NothingBlocksTests {

	private static final Duration LIMIT = Duration.ofSeconds(90);

	@Test
	void subscribeWaitLoseCancelAndReleaseOnLettuce() {
		assertThatNothingBlocks("lettuce");
	}

	@Tag("ci")
	@ParameterizedTest
	@ValueSource(strings = { "memory", "jedis" })
	void subscribeWaitLoseCancelAndReleaseOnOtherStores(String store) {
		assertThatNothingBlocks(store);
	}

	private static void assertThatNothingBlocks(String store) {
		try (RedisServer server = RedisServer.start();
				ChildJvm program = ChildJvm.of(Program.class)
					.options(List.of("-XX:+AllowRedefinitionToAddDeleteMethods", "-XX:+EnableDynamicAgentLoading",
							"-Djdk.attach.allowAttachSelf=true"))
					.args(store, server.host(), String.valueOf(server.port()))
					.start()) {
			assertThat(program.awaitExit(LIMIT)).as(program.output()).isZero();
			assertThat(program.lines()).contains("a blocking call was seen", "0 blocking calls");
		}
	}

	/** What runs there. */
	static final class Program {

		private static final Queue<String> BLOCKING = new ConcurrentLinkedQueue<>();

		private static final Duration SOON = Duration.ofSeconds(60);

		private final Scheduler loop = Schedulers.newParallel("loop", 2);

		private final List<CloseableLockTemplate> templates;

		private Program(Supplier<LockStore> store) {
			// Two processes, as it were.
			this.templates = List.of(template(store.get()), template(store.get()));
		}

		private static CloseableLockTemplate template(LockStore store) {
			return LockTemplateBuilder.forStore(store)
				.settings(LockSettings.builder()
					.commandTimeout(Duration.ofSeconds(10))
					.waitTime(Duration.ofSeconds(30))
					.build())
				.build();
		}

		public static void main(String[] args) {
			BlockHound.builder().loadIntegrations().blockingMethodCallback(Program::blocked).install();
			Supplier<LockStore> store = store(args[0], args[1], Integer.parseInt(args[2]));
			int found = new Program(store).run();
			System.exit(found);
		}

		/** A thread that waits to enter a short critical section is not counted. */
		private static void blocked(BlockingMethod method) {
			StackTraceElement[] stack = Thread.currentThread().getStackTrace();
			if (Arrays.stream(stack).anyMatch(Program::entersCriticalSection)) {
				return;
			}
			BLOCKING.add(method + " on " + Thread.currentThread().getName()
					+ Arrays.stream(stack)
						.skip(3)
						.limit(25)
						.map((frame) -> "\n\tat " + frame)
						.collect(Collectors.joining()));
		}

		private static boolean entersCriticalSection(StackTraceElement frame) {
			return (frame.getMethodName().equals("lock")
					&& frame.getClassName().equals("java.util.concurrent.locks.ReentrantLock"))
					// Netty guards the pools of its buffers like this.
					|| (frame.getMethodName().equals("writeLock")
							&& frame.getClassName().equals("java.util.concurrent.locks.StampedLock"))
					|| (frame.getMethodName().equals("enter")
							&& frame.getClassName().equals("io.distlock.internal.monitor.Monitor"));
		}

		private static Supplier<LockStore> store(String name, String host, int port) {
			if (name.equals("memory")) {
				InMemoryLockServer server = new InMemoryLockServer();
				return () -> new InMemoryLockStore(server);
			}
			return () -> new RedisLockStore(connections(name, new RedisStandaloneConfiguration(host, port)));
		}

		private static RedisConnectionFactory connections(String name, RedisStandaloneConfiguration server) {
			if (name.equals("jedis")) {
				JedisConnectionFactory jedis = new JedisConnectionFactory(server);
				jedis.afterPropertiesSet();
				jedis.start();
				return jedis;
			}
			LettuceConnectionFactory lettuce = new LettuceConnectionFactory(server);
			lettuce.afterPropertiesSet();
			lettuce.start();
			return lettuce;
		}

		private int run() {
			blockOnPurpose();
			System.out.println(BLOCKING.isEmpty() ? "nothing was seen" : "a blocking call was seen");
			BLOCKING.clear();
			contend();
			refuse();
			lose();
			cancel();
			other();
			int found = BLOCKING.size();
			BLOCKING.stream().distinct().limit(3).forEach(System.out::println);
			System.out.println(found + " blocking calls");
			return found;
		}

		/** Subscribes on an event loop, where the body works too. */
		private <T> Mono<T> on(Mono<T> mono) {
			return mono.subscribeOn(this.loop);
		}

		private ReactiveLockTemplate locks(int process) {
			return new ReactiveLockTemplate(this.templates.get(process % 2));
		}

		private Mono<Long> work(long value) {
			return Mono.delay(Duration.ofMillis(1), this.loop).thenReturn(value);
		}

		private void blockOnPurpose() {
			on(Mono.fromCallable(
					() -> new CompletableFuture<String>().completeOnTimeout("done", 500, TimeUnit.MILLISECONDS).get()))
				.block(SOON);
		}

		private void contend() {
			Flux.range(0, 200)
				.flatMap((i) -> on(locks(i).mono("contended", (lock) -> work(lock.fencingToken()))), 50)
				.blockLast(SOON);
			Flux.range(0, 200)
				.flatMap((i) -> on(locks(i).flux("free:" + i, (lock) -> Flux.range(0, 3).publishOn(this.loop)).then()),
						50)
				.blockLast(SOON);
		}

		private void refuse() {
			LockRequest once = LockRequest.of("busy").waitAtMost(Duration.ZERO);
			try (LockHandle held = this.templates.get(1).acquire("busy")) {
				on(locks(0).mono(once, (lock) -> work(held.fencingToken()))
					.onErrorResume(LockBusyException.class, (busy) -> Mono.empty())).block(SOON);
				on(locks(0).tryMono(once.waitAtMost(Duration.ofMillis(50)), (lock) -> work(1))).block(SOON);
			}
		}

		private void lose() {
			LockRequest brief = LockRequest.of("brief").leaseFor(Duration.ofMillis(200));
			for (OnLost reaction : List.of(OnLost.REPORT, OnLost.INTERRUPT)) {
				on(locks(0).mono(brief.onLost(reaction),
						(lock) -> Mono.create((sink) -> lock.onLost((lost) -> sink.success())).publishOn(this.loop)))
					.onErrorResume(LockLostException.class, (lost) -> Mono.empty())
					.block(SOON);
			}
		}

		private void cancel() {
			for (int i = 0; i < 100; i++) {
				Duration soon = Duration.ofNanos(i * 50_000L);
				on(locks(i).mono("cancelled", (lock) -> Mono.never()).takeUntilOther(Mono.delay(soon, this.loop)))
					.block(SOON);
			}
			on(locks(0).mono("cancelled", (lock) -> work(1))).block(SOON);
		}

		private void other() {
			LockRequest several = LockRequest.ofAll(List.of("a", "b", "c"));
			Flux.range(0, 20).flatMap((i) -> on(locks(i).mono(several, (lock) -> work(i)))).blockLast(SOON);
			LockRequest reader = LockRequest.of("read").mode(LockMode.SHARED);
			Flux.range(0, 20).flatMap((i) -> on(locks(i).mono(reader, (lock) -> work(i)))).blockLast(SOON);
			on(locks(0).mono("outer",
					(lock) -> work(1).flatMap((value) -> locks(0).mono("outer", (inner) -> work(value)))))
				.block(SOON);
		}

	}

}
