package io.distlock.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConfigurationTable.Row;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.jdbc.DataSourceWays.Way;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;
import io.distlock.jdbc.LockSchema;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each way in which an application with Spring Boot may have a data source: either locks
 * work, or the application does not start and says why. In no case the check passes and
 * no lock is granted.
 */
@Tag("ci")
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class AbstractDataSourceMatrixTests {

	/** Without a pool each statement logs in, while other cells do the same. */
	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private final MatrixDatabase database;

	private final List<Way> ways;

	/** As another process has it, with the driver alone. */
	private final CloseableLockTemplate other;

	AbstractDataSourceMatrixTests(MatrixDatabase database) {
		this.database = database;
		this.ways = DataSourceWays.of(database);
		DriverManagerDataSource direct = new DriverManagerDataSource(database.url(), "app", MatrixDatabase.PASSWORD);
		LockSchema.create(direct, "distributed_lock");
		JdbcLockStore store = new JdbcLockStore(direct,
				JdbcLockStoreSettings.builder().commandTimeout(PATIENCE).build());
		this.other = LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().leaseTime(PATIENCE.multipliedBy(4)).commandTimeout(PATIENCE).build())
			.build();
	}

	@AfterAll
	void stop() {
		this.other.close();
		this.database.server().close();
	}

	final List<Row> rows() {
		return this.ways.stream().map(Way::row).toList();
	}

	final Stream<Way> ways() {
		return this.ways.stream();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("ways")
	void locksWorkOrTheApplicationSaysWhyNot(Way way) {
		Connection[] taken = new Connection[2];
		process(way).withInitializer((context) -> fill(way, taken)).run((context) -> {
			empty(taken);
			if (way.row().works()) {
				assertThat(context).hasNotFailed();
				try (LockHandle lock = context.getBean(LockTemplate.class).acquire(request(way))) {
					assertThat(lock.isHeld()).isTrue();
					otherProcess(way, (other) -> assertThat(other.tryAcquire(request(way))).isEmpty());
				}
			}
			else {
				assertThat(context).hasFailed();
				assertThat(messages(context.getStartupFailure())).contains(way.row().named());
			}
		});
	}

	/** An application that has the same database in memory, or any other one. */
	private void otherProcess(Way way, Consumer<LockTemplate> use) {
		if (way.row().way().matches(".*(H2|embedded).*")) {
			process(way).run((context) -> use.accept(context.getBean(LockTemplate.class)));
			return;
		}
		use.accept(this.other);
	}

	private static LockRequest request(Way way) {
		return LockRequest.of("matrix:" + way.row().way());
	}

	private static ApplicationContextRunner process(Way way) {
		return way.beans()
			.apply(new ApplicationContextRunner())
			.withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(LockApplications.database())
			.withPropertyValues("distributed-lock.store=jdbc",
					"distributed-lock.command-timeout=" + PATIENCE.toSeconds() + "s",
					"distributed-lock.lease-time=" + 4 * PATIENCE.toSeconds() + "s",
					"distributed-lock.jdbc.initialize-schema=" + (way.row().works() ? "always" : "never"))
			.withPropertyValues(way.properties());
	}

	private static String messages(Throwable failure) {
		StringBuilder all = new StringBuilder();
		for (Throwable each = failure; each != null; each = each.getCause()) {
			all.append(each.getMessage()).append('\n');
		}
		return all.toString();
	}

	/** As the application's pool does when it begins. */
	private void fill(Way way, Connection[] taken) {
		if (way.row().way().contains("all connections")) {
			try {
				for (int i = 0; i < taken.length; i++) {
					taken[i] = this.database.few();
				}
			}
			catch (SQLException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private static void empty(Connection[] taken) throws SQLException {
		for (Connection each : taken) {
			if (each != null) {
				each.close();
			}
		}
	}

}
