package io.distlock.spring;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import io.distlock.test.TestThreads;
import io.distlock.test.VirtualClock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However many locks a transaction releases, and whatever the store does: its end takes
 * the time of one release. On virtual time.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReleasesAtCommitTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final String UNCONFIRMED = "the store did not confirm the release within 2000 ms";

	private static final String LOST = "Shop.sellBriefly(String): the lock was lost during the commit, after the last check";

	private static final String BROKEN = "this handle is broken";

	private static final List<String> LOCKS = List.of("a", "b", "c", "d");

	private final VirtualClock clock = new VirtualClock();

	private final FaultyLockStore store = new FaultyLockStore(
			new InMemoryLockStore(new InMemoryLockServer(this.clock, Runnable::run)));

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
		.settings(LockSettings.builder().leaseTime(LEASE).commandTimeout(TIMEOUT).build())
		.clock(this.clock)
		.build();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private final TransactionTemplate transaction = new TransactionTemplate(new Transactions());

	private Shop shop;

	/** What the template of the application makes of a handle. */
	private UnaryOperator<LockHandle> decoration = UnaryOperator.identity();

	@BeforeEach
	void start() {
		this.context.registerBean(LockTemplate.class, this::decoratedTemplate);
		this.context.register(Application.class, Shop.class);
		this.context.refresh();
		this.shop = this.context.getBean(Shop.class);
		this.clock.awaitThreads(1);
	}

	@AfterEach
	void stop() {
		this.store.heal();
		this.clock.passDuring(() -> {
			this.context.close();
			this.template.close();
		});
	}

	@Test
	void commitWhenTheStoreIsSilentThenTakesTheTimeOfOneRelease(CapturedOutput output) {
		Future<?> commit = inTransaction(() -> LOCKS.forEach(this.shop::sell));
		assertEndsInOneTimeout(commit);
		Awaitility.await()
			.untilAsserted(() -> assertThat(output.toString().lines()).as("one line for all of them, of the first")
				.filteredOn((line) -> line.contains(UNCONFIRMED))
				.singleElement()
				.asString()
				.containsPattern("Lock 'stock:[abcd]': "));
	}

	/** The transaction learns of these locks when its other releases are planned. */
	@Test
	void commitWhenCallbacksTakeLocksThenTakesTheTimeOfOneRelease() {
		Future<?> commit = inTransaction(() -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCompletion() {
					ReleasesAtCommitTests.this.store.heal();
					ReleasesAtCommitTests.this.shop.sell("a");
					hang();
				}

				@Override
				public void afterCommit() {
					ReleasesAtCommitTests.this.store.heal();
					ReleasesAtCommitTests.this.shop.sell("d");
					hang();
				}

			});
			this.shop.sell("b");
			this.shop.sell("c");
		});
		assertEndsInOneTimeout(commit);
	}

	@Test
	void rollbackWhenTheStoreIsSilentThenTakesTheTimeOfOneRelease() {
		Future<?> rollback = TestThreads.inThread(() -> {
			this.transaction.executeWithoutResult((status) -> {
				LOCKS.forEach(this.shop::sell);
				status.setRollbackOnly();
				hang();
			});
			return null;
		});
		assertEndsInOneTimeout(rollback);
	}

	@Test
	void reactiveCommitWhenTheStoreIsSilentThenTakesTheTimeOfOneRelease() {
		TransactionalOperator operator = TransactionalOperator.create(new ReactiveTransactions());
		Mono<String> locked = Mono.just("");
		for (String lock : LOCKS) {
			locked = locked.then(this.shop.sellLater(lock));
		}
		CompletableFuture<?> commit = operator.transactional(locked.doOnNext((sold) -> hang())).toFuture();
		awaitReleases();
		assertThat(commit).isNotDone();
		this.clock.advance(TIMEOUT.plusMillis(10));
		assertThat(commit).as("one timeout after the commit").succeedsWithin(Duration.ofSeconds(10));
	}

	/** One that was lost takes nothing from the others, and each is logged. */
	@Test
	void commitWhenLocksWereLostThenEachIsLoggedAndTheOthersAreReleased(CapturedOutput output) throws Exception {
		this.transaction.executeWithoutResult((status) -> {
			this.shop.sellBriefly("a");
			LOCKS.forEach(this.shop::sell);
			this.shop.sellBriefly("b");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					ReleasesAtCommitTests.this.clock.jump(Duration.ofSeconds(6));
				}

			});
		});
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains(LOST)).hasSize(2);
		for (String lock : LOCKS) {
			assertThat(this.template.isLocked("stock:" + lock)).isFalse();
		}
	}

	/**
	 * As a decorator of the template does it: its handles are not those of the engine.
	 */
	@Test
	void commitWhenHandlesAreForeignThenEachIsClosedInItsTurn() {
		List<String> closed = new CopyOnWriteArrayList<>();
		this.decoration = (handle) -> intercepted(LockHandle.class, handle, Map.of("close", () -> {
			closed.add(handle.key());
			handle.close();
			assertThat(this.template.isLocked(handle.key())).isFalse();
			return null;
		}));
		this.transaction.executeWithoutResult((status) -> LOCKS.forEach(this.shop::sell));
		assertThat(closed).containsExactly("stock:a", "stock:b", "stock:c", "stock:d");
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "c", "d" })
	void commitWhenReleasesCannotBeginThenTheOthersAreReleasedAndLossesLogged(String broken, CapturedOutput output) {
		this.decoration = (handle) -> isOf(handle, broken)
				? intercepted(EngineHandle.class, handle,
						Map.of("beginClose", ReleasesAtCommitTests::fail, "close", ReleasesAtCommitTests::fail))
				: handle;
		assertOthersAreReleased(broken, output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "c", "d" })
	void commitWhenReleasesFailThenTheOthersAreReleasedAndLossesLogged(String broken, CapturedOutput output) {
		this.decoration = (handle) -> isOf(handle, broken)
				? intercepted(EngineHandle.class, handle, Map.of("beginClose",
						() -> (EngineHandle.Closing) ReleasesAtCommitTests::fail, "close", ReleasesAtCommitTests::fail))
				: handle;
		assertOthersAreReleased(broken, output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "c", "d" })
	void commitWhenForeignHandlesFailThenTheOthersAreReleasedAndLossesLogged(String broken, CapturedOutput output) {
		this.decoration = (handle) -> intercepted(LockHandle.class, handle,
				isOf(handle, broken) ? Map.of("close", ReleasesAtCommitTests::fail) : Map.of());
		assertOthersAreReleased(broken, output);
	}

	private void assertOthersAreReleased(String broken, CapturedOutput output) {
		this.transaction.executeWithoutResult((status) -> {
			this.shop.sellBriefly("e");
			LOCKS.forEach(this.shop::sell);
			this.shop.sellBriefly("f");
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					ReleasesAtCommitTests.this.clock.jump(Duration.ofSeconds(6));
				}

			});
		});
		LOCKS.forEach(
				(lock) -> assertThat(this.template.isLocked("stock:" + lock)).as(lock).isEqualTo(lock.equals(broken)));
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains(LOST)).hasSize(2);
		assertThat(output).contains(BROKEN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "a", "c", "d" })
	void reactiveCommitWhenReleasesCannotBeginThenTheOthersAreAwaitedAndLossesLogged(String broken,
			CapturedOutput output) {
		List<String> awaited = new CopyOnWriteArrayList<>();
		this.decoration = (handle) -> intercepted(LockHandle.class, handle, Map.of("closeAsync", isOf(handle, broken)
				? ReleasesAtCommitTests::fail : () -> handle.closeAsync().thenRun(() -> awaited.add(handle.key()))));
		Mono<String> locked = this.shop.sellBrieflyLater("e");
		for (String lock : LOCKS) {
			locked = locked.then(this.shop.sellLater(lock));
		}
		ReactiveTransactions transactions = new ReactiveTransactions();
		transactions.watch(() -> {
			if (transactions.events().contains("begin free")) {
				this.clock.jump(Duration.ofSeconds(6));
			}
			return false;
		});
		assertThat(TransactionalOperator.create(transactions).transactional(locked).toFuture())
			.succeedsWithin(Duration.ofSeconds(10));
		assertThat(awaited).hasSize(LOCKS.size() - 1);
		assertThat(output).contains("Shop.sellBrieflyLater(String): the lock was lost during the commit");
	}

	private static boolean isOf(LockHandle handle, String item) {
		return handle.key().equals("stock:" + item);
	}

	private static Void fail() {
		throw new IllegalStateException(BROKEN);
	}

	private LockTemplate decoratedTemplate() {
		return (LockTemplate) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { LockTemplate.class },
				(proxy, method, args) -> {
					Object answer = invoke(this.template, method, args);
					if (answer instanceof LockHandle handle) {
						return this.decoration.apply(handle);
					}
					return method.getName().equals("acquireAsync") ? ((CompletionStage<?>) answer)
						.thenApply((handle) -> this.decoration.apply((LockHandle) handle)) : answer;
				});
	}

	private static <T extends LockHandle> T intercepted(Class<T> type, LockHandle handle,
			Map<String, Callable<?>> methods) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (proxy, method, args) -> {
				Callable<?> instead = methods.get(method.getName());
				return (instead != null) ? instead.call() : invoke(handle, method, args);
			}));
	}

	private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] args) throws Throwable {
		try {
			return method.invoke(target, args);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

	private Future<?> inTransaction(Runnable body) {
		return TestThreads.inThread(() -> this.transaction.execute((status) -> {
			body.run();
			hang();
			return null;
		}));
	}

	private void hang() {
		this.store.inject(Verb.FINISH, Fault.LOSE_COMMAND);
	}

	private void assertEndsInOneTimeout(Future<?> end) {
		this.clock.awaitThreads(2);
		awaitReleases();
		assertThat(end.isDone()).isFalse();
		this.clock.advance(TIMEOUT);
		assertThat(end).as("one timeout after the end").succeedsWithin(Duration.ofSeconds(10));
	}

	/** No release waits for the answer to another one. */
	private void awaitReleases() {
		Awaitility.await().untilAsserted(() -> assertThat(this.store.count(Verb.FINISH)).isEqualTo(LOCKS.size()));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks(proxyTargetClass = true)
	static class Application {

	}

	static class Shop {

		@DistributedLock(name = "stock", key = "#item")
		public void sell(String item) {
		}

		@DistributedLock(name = "brief", key = "#item", leaseTime = "5s")
		public void sellBriefly(String item) {
		}

		@DistributedLock(name = "brief", key = "#item", leaseTime = "5s")
		public Mono<String> sellBrieflyLater(String item) {
			return Mono.just(item);
		}

		@DistributedLock(name = "stock", key = "#item")
		public Mono<String> sellLater(String item) {
			return Mono.just(item);
		}

	}

	/** Transactions on nothing. */
	private static final class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object begun, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
