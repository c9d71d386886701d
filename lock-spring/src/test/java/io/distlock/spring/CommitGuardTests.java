package io.distlock.spring;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.OnLost;
import io.distlock.output.DocPage;
import io.distlock.spring.intercept.CommitGuard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** No commit without the lock, on a real database. */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CommitGuardTests {

	private final LockedApplication application = LockedApplication.of(SaleDatabase.class, Shop.class, Ledger.class);

	private final Shop shop = this.application.get(Shop.class);

	private final TransactionTemplate transaction = this.application.get(TransactionTemplate.class);

	@BeforeEach
	void sellNothing() {
		this.application.get(JdbcTemplate.class).update("delete from sale");
	}

	@AfterAll
	void close() {
		this.application.close();
	}

	private int rows() {
		Integer rows = this.application.get(JdbcTemplate.class)
			.queryForObject("select count(*) from sale", Integer.class);
		return (rows != null) ? rows : -1;
	}

	/** The lease is over, and the body does not look. */
	private void outliveTheLock() {
		this.application.outliveLeases();
	}

	private void insert() {
		this.application.get(JdbcTemplate.class).update("insert into sale values (1)");
	}

	@Test
	void managerThatHidesItsTransactionsIsWarnedOf(CapturedOutput output) {
		DataSourceTransactionManager manager = new DataSourceTransactionManager();
		CommitGuard guard = new CommitGuard(false);
		guard.postProcessAfterInitialization(manager, "usual");
		assertThat(output).doesNotContain("hides its transactions");
		manager.setTransactionSynchronization(AbstractPlatformTransactionManager.SYNCHRONIZATION_NEVER);
		guard.postProcessAfterInitialization(manager, "kafkaTransactionManager");
		String warning = output.toString()
			.lines()
			.filter((line) -> line.contains("hides its transactions from locks"))
			.findFirst()
			.orElseThrow();
		DocPage.of("startup-messages.md").says(warning.substring(warning.indexOf("Transaction manager")));
	}

	@Test
	void ownTransactionWhenTheLockWasLostThenRolledBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.sell(this::outliveTheLock))
			.satisfies((loss) -> assertThat(loss.loss().caller()).isEqualTo("CommitGuardTests.Shop.sell"));
		assertThat(rows()).isZero();
	}

	@Test
	void ownTransactionWhenHeldThenCommitted() {
		this.shop.sell(() -> {
		});
		assertThat(rows()).isEqualTo(1);
	}

	@Test
	void templateWhenTheLockWasLostThenRolledBack() {
		LockRequest request = LockRequest.of("brief").leaseFor(Duration.ofSeconds(20));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.application.lock().run(request, (lock) -> {
				this.transaction.executeWithoutResult((status) -> insert());
				this.transaction.executeWithoutResult((status) -> {
					insert();
					outliveTheLock();
				});
			}));
		assertThat(rows()).as("what was committed in time stays").isEqualTo(1);
	}

	@Test
	void tryExecuteWhenTheLockWasLostThenRolledBack() {
		LockRequest request = LockRequest.of("brief").leaseFor(Duration.ofSeconds(20));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(
				() -> this.application.lock().tryExecute(request, (lock) -> this.transaction.execute((status) -> {
					insert();
					outliveTheLock();
					return "sold";
				})));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.application.lock()
			.tryRun(request, (lock) -> this.transaction.executeWithoutResult((status) -> {
				insert();
				outliveTheLock();
			})));
		assertThat(rows()).isZero();
	}

	@Test
	void newTransactionInsideWhenTheLockWasLostThenBothAreRolledBack() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.sell(() -> {
			this.application.get(Ledger.class).note();
			outliveTheLock();
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.application.get(Ledger.class).note());
		}));
		assertThat(rows()).as("the first note was committed in time").isEqualTo(1);
	}

	@Test
	void nestedMethodWhenTheOuterLockWasLostThenRolledBack() {
		LockRequest outer = LockRequest.of("outer").leaseFor(Duration.ofSeconds(20));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.application.lock().run(outer, (lock) -> this.shop.sellSteadily(() -> {
				outliveTheLock();
				assertThat(lock.isHeld()).isFalse();
				assertThat(LockContext.current().orElseThrow().isHeld()).isTrue();
			})))
			.satisfies((loss) -> assertThat(loss.key()).isEqualTo("outer"));
		assertThat(rows()).isZero();
	}

	@Test
	void nestedMethodWhenItEndedThenItsLockIsNotAskedForAnyMore() {
		this.shop.sellSteadily(
				() -> assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.application.lock()
					.run(LockRequest.of("inner").leaseFor(Duration.ofSeconds(20)), (lock) -> outliveTheLock())));
		assertThat(rows()).isEqualTo(1);
	}

	@Test
	void readOnlyTransactionWhenTheLockWasLostThenNotCommittedEither() {
		TransactionTemplate readOnly = new TransactionTemplate(
				this.application.get(DataSourceTransactionManager.class));
		readOnly.setReadOnly(true);
		LockRequest request = LockRequest.of("brief").leaseFor(Duration.ofSeconds(20));
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> this.application.lock().run(request, (lock) -> {
				assertThatExceptionOfType(LockLostException.class)
					.isThrownBy(() -> readOnly.executeWithoutResult((status) -> outliveTheLock()));
				throw new IllegalStateException("reached");
			}))
			.withMessage("reached");
	}

	@Test
	void bodyWhenItFailedThenItsExceptionStaysAndCarriesTheLoss() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.shop.sell(() -> {
			outliveTheLock();
			throw new IllegalStateException("sold out");
		})).withMessage("sold out").satisfies((ex) -> assertThat(ex.getSuppressed()).hasSize(1));
		assertThat(rows()).isZero();
	}

	@Test
	void bodyWhenItFailedInAWayThatCommitsThenRolledBackAllTheSame(CapturedOutput output) {
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.shop.sellAndFail(this::outliveTheLock));
		assertThat(rows()).isZero();
		assertThat(output).contains("Application exception overridden by commit exception");
	}

	@Test
	void bodyWhenInterruptedByTheLossThenRolledBackAndTheLossThrown() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.sellSlowly(this::outliveTheLock));
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
		assertThat(rows()).isZero();
	}

	@Test
	void bodyWhenInterruptedOutsideOfATransactionThenTheInterruptIsTheCause() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.shop.waitForLong(this::outliveTheLock))
			.withCauseInstanceOf(InterruptedException.class);
		assertThat(Thread.currentThread().isInterrupted()).isFalse();
	}

	@Test
	void contextWhenMethodsAndTemplatesNestThenInnermostFirst() {
		this.shop.sellSteadily(() -> {
			LockHandle steady = LockContext.current().orElseThrow();
			assertThat(steady.key()).isEqualTo("steady");
			this.application.lock().run("inner", (inner) -> {
				assertThat(LockContext.all()).containsExactly(inner, steady);
				this.shop.sell(() -> assertThat(LockContext.all()).extracting(LockHandle::key)
					.containsExactly("shop", "inner", "steady"));
				assertThat(LockContext.current()).containsSame(inner);
			});
			assertThat(LockContext.all()).containsExactly(steady);
		});
		assertThat(LockContext.all()).isEmpty();
	}

	@Test
	void managerWithoutListenersIsNamed(CapturedOutput output) {
		new CommitGuard(true).postProcessAfterInitialization(new Plain(), "byHand");
		assertThat(output).contains("Transaction manager 'byHand' takes no listeners");
	}

	static class Shop {

		private final JdbcTemplate jdbc;

		Shop(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Transactional
		@DistributedLock(name = "shop", leaseTime = "20s")
		public void sell(Runnable body) {
			this.jdbc.update("insert into sale values (1)");
			body.run();
		}

		@Transactional
		@DistributedLock(name = "steady")
		public void sellSteadily(Runnable body) {
			this.jdbc.update("insert into sale values (1)");
			body.run();
		}

		@Transactional
		@DistributedLock(name = "shop", leaseTime = "20s")
		public void sellAndFail(Runnable body) throws IOException {
			this.jdbc.update("insert into sale values (1)");
			body.run();
			throw new IOException("a checked exception commits");
		}

		@Transactional
		@DistributedLock(name = "shop", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public void sellSlowly(Runnable body) throws InterruptedException {
			this.jdbc.update("insert into sale values (1)");
			body.run();
			new CountDownLatch(1).await();
		}

		@DistributedLock(name = "shop", leaseTime = "20s", onLost = OnLost.INTERRUPT)
		public void waitForLong(Runnable body) throws InterruptedException {
			body.run();
			new CountDownLatch(1).await();
		}

	}

	static class Ledger {

		private final JdbcTemplate jdbc;

		Ledger(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		public void note() {
			this.jdbc.update("insert into sale values (2)");
		}

	}

	/** As somebody may write one. */
	private static final class Plain implements PlatformTransactionManager {

		@Override
		public TransactionStatus getTransaction(TransactionDefinition definition) {
			return new SimpleTransactionStatus();
		}

		@Override
		public void commit(TransactionStatus status) {
		}

		@Override
		public void rollback(TransactionStatus status) {
		}

	}

}
