package com.example.recipes;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;

import com.example.recipes.OrderListener.OrderPlaced;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The recipes do what docs/recipes.md says of them. */
@SpringBootTest(properties = { "distributed-lock.store=memory", "spring.batch.job.enabled=false",
		"spring.modulith.events.jdbc.schema-initialization.enabled=true",
		"distributed-lock.locks.republication.min-hold=0", "distributed-lock.locks.nightly-import.min-hold=0",
		"distributed-lock.locks.nightly-report.min-hold=0" })
class RecipeTests {

	@Autowired
	private LockTemplate locks;

	@Autowired
	private Runs runs;

	@Autowired
	private JdbcClient jdbc;

	@Autowired
	private PlatformTransactionManager transactions;

	@BeforeEach
	void nothingRan() {
		this.runs.clear();
	}

	/** A caller in another process. */
	private LockHandle other(String key) {
		return this.locks.acquireAsync(key).toCompletableFuture().join();
	}

	@Test
	void incompleteEventsAreResubmittedByOneInstance(@Autowired ApplicationEventPublisher events,
			@Autowired OrderListener listener, @Autowired Republication republication) {
		new TransactionTemplate(this.transactions)
			.executeWithoutResult((status) -> events.publishEvent(new OrderPlaced("42")));
		assertThat(listener.calls()).isEqualTo(1);
		this.jdbc.sql("update event_publication set publication_date = dateadd('hour', -1, publication_date)").update();
		try (LockHandle other = other("republication")) {
			republication.resubmit();
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(listener.calls()).isEqualTo(1);
		republication.resubmit();
		await().untilAsserted(() -> assertThat(listener.calls()).isEqualTo(2));
	}

	@Test
	void incompleteEventsAreResubmittedAtTheStartOfOneInstance(@Autowired ApplicationEventPublisher events,
			@Autowired RefundListener listener, @Autowired RepublicationAtStart republication) {
		new TransactionTemplate(this.transactions)
			.executeWithoutResult((status) -> events.publishEvent(new RefundListener.Refund("42")));
		assertThat(listener.calls()).isEqualTo(1);
		try (LockHandle other = other("integration:republication")) {
			republication.resubmit();
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(listener.calls()).isEqualTo(1);
		republication.resubmit();
		await().untilAsserted(() -> assertThat(listener.calls()).isEqualTo(2));
	}

	@Test
	void batchJobRunsUnderTheLock(@Autowired NightlyImport nightly) throws Exception {
		try (LockHandle other = other("nightly-import")) {
			nightly.run();
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.runs.all()).isEmpty();
		nightly.run();
		assertThat(this.runs.all()).containsExactly("nightly-import");
		assertThat(this.locks.isLocked("nightly-import")).isFalse();
	}

	@Test
	void quartzJobIsSkippedWhileAnotherInstanceRunsIt(@Autowired Scheduler scheduler, @Autowired Reports reports)
			throws Exception {
		try (LockHandle other = other("nightly-report")) {
			reports.write();
			assertThat(other.isHeld()).isTrue();
		}
		assertThat(this.runs.all()).isEmpty();
		scheduler.scheduleJob(JobBuilder.newJob(ReportJob.class).build(), TriggerBuilder.newTrigger().build());
		await().untilAsserted(() -> assertThat(this.runs.all()).containsExactly("report"));
	}

	@Test
	void jobRunsOnceForAPeriod(@Autowired Invoices invoices) {
		invoices.write(YearMonth.of(2026, 11));
		invoices.write(YearMonth.of(2026, 11));
		assertThat(count("invoice")).isEqualTo(2);
		invoices.write(YearMonth.of(2026, 12));
		assertThat(count("invoice")).isEqualTo(4);
	}

	@Test
	void lockOutlivesTheCommitOnlyOutsideOfTheTransaction(@Autowired Stock stock) {
		assertThat(lockedBeforeCommit(() -> stock.recountWrongly("book"))).isFalse();
		// Inside of the same outer transaction the lock is kept until that ends.
		assertThat(lockedBeforeCommit(() -> stock.recountUnderTheLock("book"))).isTrue();
		assertThat(this.locks.isLocked("stock:book")).isFalse();
	}

	private boolean lockedBeforeCommit(Runnable call) {
		List<Boolean> locked = new ArrayList<>();
		new TransactionTemplate(this.transactions).executeWithoutResult((status) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void beforeCommit(boolean readOnly) {
					locked.add(RecipeTests.this.locks.isLocked("stock:book"));
				}

			});
			call.run();
		});
		return locked.get(0);
	}

	@Test
	void statementAndConstraintDecideWithoutALock(@Autowired Stock stock) {
		assertThat(stock.sell("book", 3)).isTrue();
		assertThat(stock.sell("book", 1)).isFalse();
		assertThat(stock.claim(42, "summer")).isTrue();
		assertThat(stock.claim(42, "summer")).isFalse();
	}

	private int count(String table) {
		return this.jdbc.sql("select count(*) from " + table).query(Integer.class).single();
	}

}
