package io.distlock.spring;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockLostException;
import io.distlock.output.DocPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class OuterTransactionTests {

	private static final String WARNING = "was called inside the open transaction";

	private final LockedApplication application = LockedApplication.of(SaleDatabase.class, Shop.class, Brief.class,
			Later.class);

	private final Shop shop = this.application.get(Shop.class);

	private final TransactionTemplate transaction = this.application.get(TransactionTemplate.class);

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void lockOutlivesTheCommitOfItsOwnTransaction(CapturedOutput output) {
		Probe probe = new Probe();
		this.shop.sell(() -> register(probe));
		assertThat(probe.busyAfterCommit).isTrue();
		assertThat(probe.busyAfterCompletion).isTrue();
		assertThat(this.application.isBusy("shop")).isFalse();
		assertThat(rows()).isEqualTo(1);
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void lockOutlivesTheRollbackOfItsOwnTransaction() {
		Probe probe = new Probe();
		assertThatIllegalStateException().isThrownBy(() -> this.shop.sell(() -> {
			register(probe);
			throw new IllegalStateException("no");
		}));
		assertThat(probe.busyAfterCompletion).isTrue();
		assertThat(this.application.isBusy("shop")).isFalse();
		assertThat(rows()).isZero();
	}

	@Test
	void lockTakenInsideAnOpenTransactionIsReleasedAfterIt(CapturedOutput output) {
		for (int i = 0; i < 2; i++) {
			Probe probe = new Probe();
			this.transaction.executeWithoutResult((status) -> {
				this.shop.sell(() -> register(probe));
				assertThat(this.application.isBusy("shop")).isTrue();
				assertThat(LockContext.current()).isEmpty();
			});
			assertThat(probe.busyAfterCommit).isTrue();
			assertThat(this.application.isBusy("shop")).isFalse();
		}
		assertThat(rows()).isEqualTo(2);
		assertThat(output.toString().split(WARNING, -1)).hasSize(2);
		assertThat(output).contains("@DistributedLock on OuterTransactionTests.Shop.sell(Supplier) " + WARNING
				+ ": the lock is released when that transaction ends, not when the method returns.");
	}

	@Test
	void warningNamesTheMethodThatOpenedTheTransaction(CapturedOutput output) {
		Counter counter = new Counter(this.shop);
		TransactionTemplate named = new TransactionTemplate(this.transaction.getTransactionManager());
		named.setName("com.shop.Checkout.pay");
		named.executeWithoutResult((status) -> counter.sell());
		String warning = output.toString().lines().filter((line) -> line.contains(WARNING)).findFirst().orElseThrow();
		assertThat(warning).contains(WARNING + " of com.shop.Checkout.pay: ");
		DocPage.of("startup-messages.md")
			.says(warning.substring(warning.indexOf("@DistributedLock"))
				.replace("OuterTransactionTests.Shop.sell(Supplier)", "StockService.deduct(String, int)"));
	}

	/** An annotated batch of thousands of calls is linear. */
	@Test
	void callInsideAnOpenTransactionDoesNotLookAtItsOtherCallbacks() {
		Sorted sorted = new Sorted();
		this.transaction.executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(sorted);
			this.application.get(Brief.class).insert();
			int before = sorted.times;
			this.application.get(Brief.class).insert();
			this.shop.sell(() -> null);
			this.application.get(Brief.class).again(() -> null);
			assertThat(sorted.times).isEqualTo(before);
			assertThat(TransactionSynchronizationManager.getSynchronizations()).hasSize(2);
		});
		assertFreeAndTidy();
	}

	@Test
	void transactionsInsideEachOtherReleaseOnlyTheirOwnLocks() {
		TransactionTemplate inner = new TransactionTemplate(this.transaction.getTransactionManager());
		inner.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
		this.transaction.executeWithoutResult((outer) -> {
			this.application.get(Brief.class).insert();
			inner.executeWithoutResult((status) -> {
				this.application.get(Brief.class).again(() -> null);
				assertThat(this.application.isBusy("shop")).isTrue();
			});
			assertThat(this.application.isBusy("shop")).isFalse();
			assertThat(this.application.isBusy("brief")).isTrue();
			this.application.get(Brief.class).again(() -> null);
			assertThat(this.application.isBusy("shop")).isTrue();
		});
		assertFreeAndTidy();
	}

	@Test
	void lockOfATransactionThatNeverEndedIsReleasedWithTheNextOne() {
		TransactionSynchronizationManager.initSynchronization();
		TransactionSynchronizationManager.setActualTransactionActive(true);
		this.application.get(Brief.class).again(() -> null);
		TransactionSynchronizationManager.clear();
		assertThat(this.application.isBusy("shop")).isTrue();
		this.transaction.executeWithoutResult((status) -> this.application.get(Brief.class).insert());
		assertFreeAndTidy();
	}

	private void assertFreeAndTidy() {
		assertThat(this.application.isBusy("shop")).isFalse();
		assertThat(this.application.isBusy("brief")).isFalse();
		assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
	}

	@Test
	void bodyThatLeavesTheThreadOfTheTransactionIsWarnedOf(CapturedOutput output) {
		TransactionTemplate named = new TransactionTemplate(this.transaction.getTransactionManager());
		named.setName("com.shop.Checkout.pay");
		Later later = this.application.get(Later.class);
		for (int i = 0; i < 2; i++) {
			named.executeWithoutResult((status) -> {
				later.stage().join();
				later.mono().block();
			});
		}
		List<String> warnings = output.toString().lines().filter((line) -> line.contains(WARNING)).toList();
		assertThat(warnings).hasSize(2).noneMatch((line) -> line.contains("is released when"));
		assertThat(warnings.get(1)).contains("Later.mono()");
		DocPage.of("startup-messages.md")
			.says(warnings.get(0)
				.substring(warnings.get(0).indexOf("@DistributedLock"))
				.replace("OuterTransactionTests.Later.stage()", "StockService.deductLater(String, int)"));
	}

	@Test
	void bodyThatLeavesTheThreadWithoutATransactionIsNotWarnedOf(CapturedOutput output) {
		this.application.get(Later.class).stage().join();
		this.application.get(Later.class).mono().block();
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void nestedCallInTheSameTransactionIsNotWarnedOf(CapturedOutput output) {
		this.shop.sell(() -> this.application.get(Brief.class).again(() -> null));
		assertThat(output).doesNotContain(WARNING);
		assertThat(this.application.isBusy("shop")).isFalse();
	}

	@Test
	void lockLostBeforeTheCommitRollsBack(CapturedOutput output) {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				this.application.get(Brief.class).insert();
				this.application.outliveLeases();
			}));
		assertThat(rows()).isZero();
		assertThat(output).doesNotContain("during the commit");
	}

	@Test
	void lockLostInTheBodyIsToldAtItsEnd() {
		this.transaction.executeWithoutResult((status) -> {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.application.get(Brief.class).insertAnd(this.application::outliveLeases));
			status.setRollbackOnly();
		});
		assertThat(rows()).isZero();
	}

	@Test
	void lockLostDuringTheCommitIsLogged(CapturedOutput output) {
		this.transaction.executeWithoutResult((status) -> {
			this.application.get(Brief.class).insert();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					OuterTransactionTests.this.application.outliveLeases();
				}

			});
		});
		assertThat(output)
			.contains("@DistributedLock on OuterTransactionTests.Brief.insert(): the lock was lost during the commit, "
					+ "after the last check");
		assertThat(rows()).isEqualTo(1);
	}

	private @Nullable Void register(TransactionSynchronization probe) {
		TransactionSynchronizationManager.registerSynchronization(probe);
		return null;
	}

	private int rows() {
		Integer rows = this.application.get(JdbcTemplate.class)
			.queryForObject("select count(*) from sale", Integer.class);
		return (rows != null) ? rows : -1;
	}

	/** Looks from another process at moments when the commit is through. */
	private final class Probe implements TransactionSynchronization {

		private boolean busyAfterCommit;

		private boolean busyAfterCompletion;

		@Override
		public void afterCommit() {
			this.busyAfterCommit = OuterTransactionTests.this.application.isBusy("shop");
		}

		@Override
		public void afterCompletion(int status) {
			this.busyAfterCompletion = OuterTransactionTests.this.application.isBusy("shop");
		}

	}

	/** Counts how often the callbacks of a transaction are put in order. */
	private static final class Sorted implements TransactionSynchronization {

		private int times;

		@Override
		public int getOrder() {
			this.times++;
			return 0;
		}

	}

	static class Later {

		@DistributedLock(name = "later")
		public CompletableFuture<String> stage() {
			return CompletableFuture.completedFuture("");
		}

		@DistributedLock(name = "later")
		public Mono<String> mono() {
			return Mono.just("");
		}

	}

	private record Counter(Shop shop) {

		void sell() {
			this.shop.sell(() -> null);
		}

	}

	static class Shop {

		private final JdbcTemplate jdbc;

		Shop(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Transactional
		@DistributedLock(name = "shop")
		public @Nullable Object sell(Supplier<@Nullable Object> body) {
			this.jdbc.update("insert into sale values (1)");
			return body.get();
		}

	}

	static class Brief {

		private final JdbcTemplate jdbc;

		Brief(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@DistributedLock(name = "shop")
		public @Nullable Object again(Supplier<@Nullable Object> body) {
			return body.get();
		}

		@DistributedLock(name = "brief", leaseTime = "20s")
		public void insert() {
			this.jdbc.update("insert into sale values (1)");
		}

		@DistributedLock(name = "brief", leaseTime = "20s")
		public void insertAnd(Runnable body) {
			this.jdbc.update("insert into sale values (1)");
			body.run();
		}

	}

}
