package io.distlock.spring;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.ResourceHolderSupport;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The ways in which a lock and a transaction can meet, on a real database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractTransactionTests {

	private LockedApplication application;

	private Shop shop;

	protected abstract String url();

	@BeforeEach
	void start() {
		if (this.application == null) {
			this.application = new LockedApplication(true, Map.of(), Map.of("sales.url", url()),
					FragileSaleDatabase.class, Shop.class, Ledger.class, Audit.class);
		}
		this.shop = this.application.get(Shop.class);
		this.application.get(FragileSaleDatabase.FragileDataSource.class).mend();
		this.application.get(JdbcTemplate.class).update("DELETE FROM sale");
		this.application.get(Audit.class).busy.clear();
	}

	@AfterAll
	void close() {
		this.application.close();
	}

	private TransactionTemplate transaction() {
		return new TransactionTemplate(this.application.get(PlatformTransactionManager.class));
	}

	private TransactionTemplate transaction(int propagation) {
		TransactionTemplate template = transaction();
		template.setPropagationBehavior(propagation);
		return template;
	}

	private void insert() {
		this.application.get(JdbcTemplate.class).update("INSERT INTO sale VALUES (1)");
	}

	private int rows() {
		Integer rows = this.application.get(JdbcTemplate.class)
			.queryForObject("SELECT count(*) FROM sale", Integer.class);
		return (rows != null) ? rows : -1;
	}

	private boolean isBusy(String key) {
		return this.application.isBusy(key);
	}

	/** What another process and another connection see once the transaction is over. */
	private List<String> watchCompletion(String key) {
		return watchCompletion(key, new ArrayList<>());
	}

	private List<String> watchCompletion(String key, List<String> seen) {
		TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCompletion(int status) {
				seen.add(status + (isBusy(key) ? " busy" : " free"));
			}

		});
		return seen;
	}

	@Test
	void templateInsideALockedMethodWhenItEndedThenTheLockIsHeldUntilTheMethodEnds() {
		this.shop.plain(() -> {
			List<String> seen = transaction().execute((status) -> {
				insert();
				return watchCompletion("shop");
			});
			assertThat(seen).containsExactly(TransactionSynchronization.STATUS_COMMITTED + " busy");
			assertThat(rows()).isOne();
			return isBusy("shop");
		});
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void newTransactionInsideALockedOneWhenEitherEndsThenTheLockIsStillHeld() {
		assertThatExceptionOfType(Rollback.class).isThrownBy(() -> this.shop.transactional(() -> {
			List<String> seen = transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).execute((status) -> {
				insert();
				return watchCompletion("shop");
			});
			assertThat(seen).containsExactly(TransactionSynchronization.STATUS_COMMITTED + " busy");
			throw new Rollback();
		}));
		assertThat(rows()).as("only the new transaction was committed").isOne();
		assertThat(isBusy("shop")).isFalse();
	}

	/** Also what the outer one changed may depend on the lock. */
	@Test
	void lockedMethodWithATransactionOfItsOwnInsideAnotherWhenItEndedThenTheLockIsHeldUntilTheOuterOneEnds() {
		transaction().executeWithoutResult((status) -> {
			this.shop.requiringNew(() -> null);
			assertThat(isBusy("new")).isTrue();
		});
		assertThat(isBusy("new")).isFalse();
	}

	@Test
	void savepointWhenRolledBackThenTheLockIsHeldUntilTheTransactionEnds() {
		transaction().executeWithoutResult((outer) -> {
			transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((nested) -> {
				this.shop.plain(() -> {
					insert();
					return null;
				});
				nested.setRollbackOnly();
			});
			assertThat(isBusy("shop")).isTrue();
		});
		assertThat(rows()).isZero();
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void nestedMethodWhenCalledUnderTheLockThenOneLockAndOneTransaction() {
		this.shop.transactional(() -> {
			this.application.get(Ledger.class).nested();
			return null;
		});
		assertThat(rows()).isOne();
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void openTransactionWhenRolledBackThenTheLockIsReleasedAfterIt() {
		List<String> seen = transaction().execute((status) -> {
			List<String> watched = watchCompletion("shop");
			this.shop.plain(() -> null);
			status.setRollbackOnly();
			return watched;
		});
		assertThat(seen).containsExactly(TransactionSynchronization.STATUS_ROLLED_BACK + " busy");
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void openTransactionWhenItsOutcomeIsNotKnownThenTheLockIsReleasedAllTheSame() {
		List<String> seen = new ArrayList<>();
		assertThatExceptionOfType(TransactionSystemException.class)
			.isThrownBy(() -> transaction().executeWithoutResult((status) -> {
				watchCompletion("shop", seen);
				this.shop.plain(() -> null);
				this.application.get(FragileSaleDatabase.FragileDataSource.class).breakAtCommit();
			}));
		assertThat(seen).containsExactly(TransactionSynchronization.STATUS_UNKNOWN + " busy");
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void commitWhenItFailsThenTheCallerIsToldAndTheLockIsReleased() {
		List<String> seen = new ArrayList<>();
		assertThatExceptionOfType(TransactionSystemException.class).isThrownBy(() -> this.shop.transactional(() -> {
			watchCompletion("shop", seen);
			this.application.get(FragileSaleDatabase.FragileDataSource.class).breakAtCommit();
			return null;
		})).withStackTraceContaining("the connection broke");
		assertThat(seen).containsExactly(TransactionSynchronization.STATUS_UNKNOWN + " busy");
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void callbackBeforeTheCommitWhenItFailsThenRolledBackAndTheLockIsReleased() {
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.shop.transactional(() -> {
			insert();
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					throw new IllegalStateException("no");
				}

			});
			return null;
		})).withMessage("no");
		assertThat(rows()).isZero();
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void classLevelTransactionWhenTheMethodIsLockedThenTheLockIsOutside() {
		List<String> seen = this.application.get(Ledger.class).write(() -> {
			insert();
			return watchCompletion("ledger");
		});
		assertThat(seen).containsExactly(TransactionSynchronization.STATUS_COMMITTED + " busy");
		assertThat(rows()).isOne();
		assertThat(isBusy("ledger")).isFalse();
	}

	@Test
	void listenerAfterTheCommitWhenTheLockIsOutsideThenRunsUnderIt() {
		this.shop.transactional(() -> {
			this.shop.publish(new Sold(() -> isBusy("shop")));
			return null;
		});
		assertThat(this.application.get(Audit.class).busy).containsExactly(true);
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void listenerAfterTheCommitWhenTheLockWasTakenInsideThenRunsUnderItToo() {
		transaction().executeWithoutResult((status) -> this.shop.plain(() -> {
			this.shop.publish(new Sold(() -> isBusy("shop")));
			return null;
		}));
		assertThat(this.application.get(Audit.class).busy).containsExactly(true);
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void lockedMethodWhenCalledAfterTheCommitThenTheLockIsReleased() {
		transaction().executeWithoutResult((status) -> {
			this.shop.publish(new Sold(() -> this.shop.plain(() -> isBusy("shop"))));
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					AbstractTransactionTests.this.shop.plain(() -> true);
				}

				@Override
				public void afterCompletion(int outcome) {
					AbstractTransactionTests.this.shop.plain(() -> true);
				}

			});
		});
		assertThat(this.application.get(Audit.class).busy).containsExactly(true);
		assertThat(isBusy("shop")).isFalse();
	}

	@Test
	void waitWhenTheTransactionHasATimeoutThenNoLongerThanWhatIsLeftOfIt() {
		TransactionTemplate brief = transaction();
		brief.setTimeout(5);
		brief.setName("com.shop.Checkout.pay");
		long begun = System.nanoTime();
		try (LockHandle held = this.application.other().acquire("patient")) {
			brief.executeWithoutResult((status) -> assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(this.shop::patient)
				.satisfies((busy) -> assertThat(busy.waitTime()).isBetween(Duration.ofMillis(1), Duration.ofSeconds(5)))
				.withMessageMatching(
						"Lock 'patient' is busy: not acquired within \\d+m?s, which is all that was left of "
								+ "the timeout of the open transaction of com.shop.Checkout.pay; held by .*"));
		}
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
		assertThat(LockContext.all()).isEmpty();
	}

	@Test
	void waitWhenTheTransactionTimedOutThenNotAtAll() {
		TransactionTemplate brief = transaction();
		brief.setTimeout(5);
		try (LockHandle held = this.application.other().acquire("patient")) {
			brief.executeWithoutResult((status) -> {
				ConnectionHolder connection = TransactionSynchronizationManager.getResourceMap()
					.values()
					.stream()
					.filter(ConnectionHolder.class::isInstance)
					.map(ConnectionHolder.class::cast)
					.findFirst()
					.orElseThrow();
				Awaitility.await().until(() -> connection.getDeadline().getTime() < System.currentTimeMillis());
				assertThatExceptionOfType(LockBusyException.class).isThrownBy(this.shop::patient)
					.withMessageStartingWith(
							"Lock 'patient' is busy: not acquired within 0s, which is all that was left "
									+ "of the timeout of the open transaction; held by ");
				status.setRollbackOnly();
			});
		}
	}

	@Test
	void waitWhenTheTransactionHasMoreTimeThenAsTheMethodSays() {
		TransactionTemplate ample = transaction();
		ample.setTimeout(100);
		try (LockHandle held = this.application.other().acquire("brief")) {
			ample.executeWithoutResult(
					(status) -> assertThatExceptionOfType(LockBusyException.class).isThrownBy(this.shop::brief)
						.withMessageStartingWith("Lock 'brief' is busy: not acquired within 10ms; held by "));
			transaction().executeWithoutResult(
					(status) -> assertThatExceptionOfType(LockBusyException.class).isThrownBy(this.shop::brief)
						.withMessageStartingWith("Lock 'brief' is busy: not acquired within 10ms; held by "));
		}
	}

	/** As other transaction managers bind one, for instance that of JPA. */
	@Test
	void waitWhenAnotherResourceHasTheTimeoutThenLimitedToo() {
		ResourceHolderSupport session = new ResourceHolderSupport() {
		};
		session.setTimeoutInMillis(0);
		try (LockHandle held = this.application.other().acquire("patient")) {
			transaction().executeWithoutResult((status) -> {
				TransactionSynchronizationManager.bindResource(session, session);
				try {
					assertThatExceptionOfType(LockBusyException.class).isThrownBy(this.shop::patient)
						.withMessageContaining("all that was left of the timeout");
				}
				finally {
					TransactionSynchronizationManager.unbindResource(session);
				}
			});
		}
	}

	private static final class Rollback extends RuntimeException {

		private static final long serialVersionUID = 1L;

	}

	record Sold(Supplier<Boolean> look) {

	}

	static class Shop {

		private final ApplicationEventPublisher publisher;

		Shop(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@DistributedLock(name = "shop")
		public <T> @Nullable T plain(Supplier<@Nullable T> body) {
			return body.get();
		}

		@Transactional
		@DistributedLock(name = "shop")
		public <T> @Nullable T transactional(Supplier<@Nullable T> body) {
			return body.get();
		}

		@Transactional(propagation = Propagation.REQUIRES_NEW)
		@DistributedLock(name = "new")
		public <T> @Nullable T requiringNew(Supplier<@Nullable T> body) {
			return body.get();
		}

		@DistributedLock(name = "patient", waitTime = "20s")
		public void patient() {
		}

		@DistributedLock(name = "brief", waitTime = "10ms")
		public void brief() {
		}

		public void publish(Sold event) {
			this.publisher.publishEvent(event);
		}

	}

	@Transactional
	static class Ledger {

		private final JdbcTemplate jdbc;

		Ledger(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@DistributedLock(name = "ledger")
		public <T> T write(Supplier<T> body) {
			return body.get();
		}

		@DistributedLock(name = "shop")
		@Transactional(propagation = Propagation.NESTED)
		public void nested() {
			this.jdbc.update("INSERT INTO sale VALUES (2)");
		}

	}

	static class Audit {

		private final List<Boolean> busy = new ArrayList<>();

		@TransactionalEventListener
		public void on(Sold event) {
			this.busy.add(event.look().get());
		}

	}

}
