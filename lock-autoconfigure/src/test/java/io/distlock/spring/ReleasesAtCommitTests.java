package io.distlock.spring;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
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
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.LockTemplateBuilder;
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

	@BeforeEach
	void start() {
		this.context.registerBean(LockTemplate.class, () -> this.template);
		this.context.register(Application.class, Shop.class);
		this.context.refresh();
		this.shop = this.context.getBean(Shop.class);
		this.clock.awaitThreads(1);
	}

	@AfterEach
	void stop() {
		this.store.heal();
		CompletableFuture<Void> closing = CompletableFuture.runAsync(() -> {
			this.context.close();
			this.template.close();
		});
		while (!closing.isDone()) {
			this.clock.advance(Duration.ofMillis(100));
		}
	}

	@Test
	void commitWhenTheStoreIsSilentThenTakesTheTimeOfOneRelease(CapturedOutput output) {
		Future<?> commit = inTransaction(() -> LOCKS.forEach(this.shop::sell));
		assertEndsInOneTimeout(commit);
		LOCKS.forEach((lock) -> assertThat(output.toString().lines())
			.filteredOn((line) -> line.contains("Lock 'stock:" + lock + "': " + UNCONFIRMED))
			.hasSize(1));
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
		String lost = "Shop.sellBriefly(String): the lock was lost during the commit, after the last check";
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains(lost)).hasSize(2);
		for (String lock : LOCKS) {
			assertThat(this.template.isLocked("stock:" + lock)).isFalse();
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
