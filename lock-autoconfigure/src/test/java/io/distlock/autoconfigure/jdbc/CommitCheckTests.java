package io.distlock.autoconfigure.jdbc;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.LossReason;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.CommitCheck;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Transactions that commit only while the rows of their locks say so. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("ci")
class CommitCheckTests {

	private static final String ON = "distributed-lock.jdbc.commit-check=true";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withConfiguration(LockApplications.database())
		.withPropertyValues("distributed-lock.store=jdbc", "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID(),
				"spring.datasource.hikari.maximum-pool-size=3", "distributed-lock.command-timeout=10s");

	@Test
	void transactionCommitsWhileItsLocksAreHeld() {
		this.runner.withPropertyValues(ON).withUserConfiguration(Shop.class).run((context) -> {
			prepare(context);
			context.getBean(LockTemplate.class).run("stock:1", (lock) -> sell(context, () -> {
			}));
			transaction(context).executeWithoutResult((status) -> context.getBean(Stock.class).sell(() -> {
			}));
			assertThat(sold(context)).isEqualTo(2);
		});
	}

	/** What its local deadline cannot know: the row is not ours any more. */
	@Test
	void transactionWhoseLockWasTakenIsRolledBack() {
		this.runner.withPropertyValues(ON).withUserConfiguration(Shop.class).run((context) -> {
			prepare(context);
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> context.getBean(LockTemplate.class)
					.run("stock:1", (lock) -> sell(context, () -> deleteRows(context))))
				.withMessageStartingWith(
						"Lock 'stock:1' was lost: the store no longer knew this hold when a transaction "
								+ "was to commit (it has no row for a lock of another LockTemplate than the application's)")
				.satisfies((ex) -> assertThat(ex.reason()).isEqualTo(LossReason.GONE_AT_COMMIT));
			assertThat(sold(context)).isZero();
		});
	}

	@Test
	void permitOfASemaphoreIsRefusedAsItCannotBeChecked() {
		this.runner.withPropertyValues(ON).withUserConfiguration(Shop.class).run((context) -> {
			prepare(context);
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> context.getBean(LockTemplate.class)
				.run(LockRequest.of("stock:1").permits(2), (lock) -> sell(context, () -> {
				})))
				.withMessageContaining("'stock:1' in table distributed_lock of jdbc:h2:mem:")
				.withMessageContaining("is a semaphore");
			assertThat(sold(context)).isZero();
		});
	}

	@Test
	void lockWithoutAGrantOfTheStoreIsRefused() {
		this.runner.withPropertyValues(ON).withUserConfiguration(Shop.class).run((context) -> {
			LockHandle local = localHandle();
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> transaction(context)
					.executeWithoutResult((status) -> context.getBean(CommitCheck.class).beforeCommit(List.of(local))))
				.withMessage("The commit check of lock 'stock:1' failed: the store has not granted it: There is no "
						+ "fencing token");
		});
	}

	@Test
	void lockThatWasTakenInsideTheTransactionIsCheckedToo() {
		this.runner.withPropertyValues(ON).withUserConfiguration(Shop.class).run((context) -> {
			prepare(context);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> transaction(context)
				.executeWithoutResult((status) -> context.getBean(Stock.class).sell(() -> deleteRows(context))));
			assertThat(sold(context)).isZero();
		});
	}

	@Test
	void withoutTheCheckOnlyTheLocalDeadlineCounts() {
		this.runner.withUserConfiguration(Shop.class).run((context) -> {
			prepare(context);
			assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> context.getBean(LockTemplate.class)
				.run("stock:1", (lock) -> sell(context, () -> deleteRows(context))));
			assertThat(sold(context)).as("committed before").isEqualTo(1);
		});
	}

	@Test
	void transactionInAnotherDatabaseIsSaidToBeUnchecked(CapturedOutput output) {
		this.runner.withPropertyValues(ON).withUserConfiguration(Shop.class).run((context) -> {
			DataSource other = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID());
			PlatformTransactionManager manager = (PlatformTransactionManager) context.getAutowireCapableBeanFactory()
				.applyBeanPostProcessorsAfterInitialization(new DataSourceTransactionManager(other), "other");
			for (int i = 0; i < 2; i++) {
				context.getBean(LockTemplate.class)
					.run("stock:1", (lock) -> new TransactionTemplate(manager).executeWithoutResult((status) -> {
					}));
			}
			assertThat(output).containsOnlyOnce("distributed-lock.jdbc.commit-check has no effect on transaction");
		});
	}

	@Test
	void settingsThatContradictItAreRefused() {
		this.runner.withPropertyValues(ON, "distributed-lock.commit-guard=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"distributed-lock.jdbc.commit-check is true, but distributed-lock.commit-guard is false"));
		this.runner.withPropertyValues(ON, "distributed-lock.stores.other.type=memory")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("distributed-lock.jdbc.commit-check is true, but there are other stores"));
		this.runner
			.withPropertyValues("distributed-lock.stores.other.type=jdbc",
					"distributed-lock.stores.other.jdbc.commit-check=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(
						"distributed-lock.stores.other.jdbc.commit-check is true, but commits are checked in the default "
								+ "store only"));
	}

	@Test
	void storeOfTheApplicationIsRefused() {
		this.runner.withPropertyValues(ON)
			.withBean(InMemoryLockStore.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("commit-check is true, but locks are not kept in a database of "
						+ "distributed-lock.jdbc.*, but in the memory of this process"));
	}

	private static LockHandle localHandle() {
		return (LockHandle) Proxy.newProxyInstance(LockHandle.class.getClassLoader(),
				new Class<?>[] { LockHandle.class }, (self, method, args) -> switch (method.getName()) {
					case "key" -> "stock:1";
					case "parts" -> List.of(self);
					case "fencingToken" -> throw new IllegalStateException("There is no fencing token");
					default -> throw new UnsupportedOperationException(method.getName());
				});
	}

	private static void prepare(ApplicationContext context) {
		jdbc(context).execute("CREATE TABLE stock (sold integer)");
		jdbc(context).execute("INSERT INTO stock VALUES (0)");
	}

	private static void sell(ApplicationContext context, Runnable meanwhile) {
		transaction(context).executeWithoutResult((status) -> {
			jdbc(context).update("UPDATE stock SET sold = sold + 1");
			meanwhile.run();
		});
	}

	/** On another connection, as another process would. */
	private static void deleteRows(ApplicationContext context) {
		Thread thread = new Thread(() -> jdbc(context).update("DELETE FROM distributed_lock"));
		thread.start();
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int sold(ApplicationContext context) {
		Integer sold = jdbc(context).queryForObject("SELECT sold FROM stock", Integer.class);
		return (sold != null) ? sold : -1;
	}

	private static TransactionTemplate transaction(ApplicationContext context) {
		return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
	}

	private static JdbcTemplate jdbc(ApplicationContext context) {
		return new JdbcTemplate(context.getBean(DataSource.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@Bean
		DataSourceTransactionManager transactionManager(DataSource dataSource) {
			return new DataSourceTransactionManager(dataSource);
		}

		@Bean
		Stock stock(DataSource dataSource) {
			return new Stock(dataSource);
		}

	}

	static class Stock {

		private final JdbcTemplate jdbc;

		Stock(DataSource dataSource) {
			this.jdbc = new JdbcTemplate(dataSource);
		}

		@DistributedLock(name = "stock", key = "'1'")
		public void sell(Runnable meanwhile) {
			this.jdbc.update("UPDATE stock SET sold = sold + 1");
			meanwhile.run();
		}

	}

}
