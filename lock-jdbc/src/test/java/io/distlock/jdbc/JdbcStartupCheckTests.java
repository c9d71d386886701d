package io.distlock.jdbc;

import java.lang.reflect.Proxy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.distlock.databases.PostgresServer;
import io.distlock.spi.StoreCheckResult;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What stands in the way of locks is said at startup, with what to do. */
class JdbcStartupCheckTests {

	private static final JdbcLockStoreSettings SETTINGS = settings().build();

	private final String name = "t" + UUID.randomUUID().toString().replace("-", "");

	@Test
	void goodDatabasesPassAndKeepNothing() throws SQLException {
		for (DataSource database : List.of(TestDatabase.postgres(), TestDatabase.h2())) {
			StoreCheckResult result = run(database, settings().keyPrefix("shop:").build());
			if (database == TestDatabase.h2()) {
				assertThat(((StoreCheckResult.Passed) result).warnings()).singleElement()
					.asString()
					.startsWith("Locks are kept in an H2 database in the memory of this process")
					.endsWith("(database jdbc:h2:mem:locks)");
			}
			else {
				assertThat(result).isEqualTo(new StoreCheckResult.Passed(List.of()));
			}
			assertThat(TestDatabase.query(database,
					"SELECT count(*) FROM distributed_lock WHERE lock_key LIKE 'shop:probe%'"))
				.isEqualTo("0");
		}
	}

	@Test
	void missingTableIsNamedWithItsFile() {
		assertThat(problem(TestDatabase.postgres(), settings().table(this.name).build())).contains(this.name,
				"is missing", "io/distlock/jdbc/schema-postgresql.sql",
				"distributed-lock.jdbc.initialize-schema=always");
		assertThat(problem(TestDatabase.h2(), settings().table(this.name).build())).contains("schema-h2.sql");
		assertThat(problem(TestDatabase.postgres(), settings().table("nowhere." + this.name).build()))
			.contains("is missing");
	}

	@Test
	void otherTablesAreRefused() throws SQLException {
		assertThat(problemOf("(lock_key varchar(255) primary key)")).contains("is not as", "compare");
		String columns = """
				revision bigint not null, busy smallint not null, token bigint not null, record text not null,
				holder varchar(255), waiting integer not null, held_until bigint not null""";
		assertThat(problemOf("(lock_key varchar(255) not null, " + columns + ")")).contains("is not as");
		assertThat(problemOf("(lock_key varchar(200) primary key, " + columns + ")")).contains("does not fit");
		assertThat(problemOf("(lock_key varchar(255) primary key, other integer not null, " + columns + ")"))
			.contains("is not as");
	}

	@Test
	void keysThatDifferInCaseOnlyMustDiffer() throws SQLException {
		JdbcDataSource h2 = new JdbcDataSource();
		h2.setURL("jdbc:h2:mem:" + this.name + ";DB_CLOSE_DELAY=-1");
		TestDatabase.execute(h2,
				"CREATE TABLE distributed_lock (lock_key VARCHAR_IGNORECASE(255) PRIMARY KEY, revision BIGINT, "
						+ "busy SMALLINT, token BIGINT, record VARCHAR(1000000), holder VARCHAR(255), waiting INTEGER, "
						+ "held_until BIGINT)");
		assertThat(problem(h2, SETTINGS)).contains("differ in case");
	}

	@Test
	void missingRightsAreNamed() throws SQLException {
		String user = "u" + this.name.substring(0, 10);
		TestDatabase.execute(TestDatabase.postgres(), "CREATE USER " + user);
		PGSimpleDataSource other = new PGSimpleDataSource();
		other.setUrl(TestDatabase.postgresUrl());
		other.setUser(user);
		for (String right : List.of("SELECT", "INSERT", "UPDATE", "DELETE")) {
			assertThat(problem(other, SETTINGS))
				.contains("grant SELECT, INSERT, UPDATE and DELETE on distributed_lock");
			TestDatabase.execute(TestDatabase.postgres(), "GRANT " + right + " ON distributed_lock TO " + user);
		}
		assertThat(run(other, SETTINGS)).isInstanceOf(StoreCheckResult.Passed.class);
	}

	@Test
	void weakDurabilityIsWarnedOfAndStandbysAreRefused() {
		try (PostgresServer primary = PostgresServer.start("synchronous_commit=off")) {
			LockSchema.create(source(primary.url()), "distributed_lock");
			assertThat(((StoreCheckResult.Passed) run(source(primary.url()), SETTINGS)).warnings()).singleElement()
				.asString()
				.contains("synchronous_commit is off");
			try (PostgresServer standby = primary.startStandby()) {
				assertThat(problem(source(standby.url()), SETTINGS)).contains("standby", "address of the primary");
			}
		}
	}

	@Test
	void readOnlySessionsAreRefused() {
		assertThat(problem(source(TestDatabase.postgresUrl() + "&options=-c%20default_transaction_read_only=on"),
				SETTINGS))
			.contains("takes no writes", "address of the primary");
	}

	@Test
	void databaseThatDoesNotAnswerLeavesEverythingOpen() {
		assertThat(run(source("jdbc:postgresql://127.0.0.1:1/none"), SETTINGS))
			.isInstanceOfSatisfying(StoreCheckResult.Unreachable.class, (result) -> assertThat(result.message())
				.contains("database of table distributed_lock did not answer", "127.0.0.1"));
	}

	@Test
	void driverThatIsNotCompleteIsNamedAtOnce() {
		DataSource broken = (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
				new Class<?>[] { DataSource.class }, (self, method, arguments) -> {
					throw new NoClassDefFoundError("com/example/Driver");
				});
		assertThat(run(broken, SETTINGS)).isInstanceOfSatisfying(StoreCheckResult.Unreachable.class,
				(result) -> assertThat(result.message())
					.isEqualTo("The check of the database failed: com/example/Driver"));
	}

	private String problemOf(String columns) throws SQLException {
		String table = this.name + "_" + Math.abs(columns.hashCode());
		TestDatabase.execute(TestDatabase.postgres(), "CREATE TABLE " + table + " " + columns);
		return problem(TestDatabase.postgres(), settings().table(table).build());
	}

	private static JdbcLockStoreSettings.Builder settings() {
		return JdbcLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(5));
	}

	private static String problem(DataSource database, JdbcLockStoreSettings settings) {
		return run(database, settings).problems().get(0);
	}

	private static StoreCheckResult run(DataSource database, JdbcLockStoreSettings settings) {
		return new JdbcStartupCheck(database, settings).run();
	}

	private static DataSource source(String url) {
		PGSimpleDataSource source = new PGSimpleDataSource();
		source.setUrl(url);
		return source;
	}

}
