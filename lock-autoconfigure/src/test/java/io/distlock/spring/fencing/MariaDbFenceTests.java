package io.distlock.spring.fencing;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.TransactionDefinition;

import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsServer;

@NeedsServer(command = "mariadbd", debianPackage = "mariadb-server-core")
class MariaDbFenceTests extends AbstractJdbcFenceTests {

	private static MariaDbServer server;

	@BeforeAll
	static void start() {
		server = MariaDbServer.start("--transaction-isolation=READ-COMMITTED");
	}

	@AfterAll
	static void stop() {
		server.close();
	}

	@Override
	protected DataSource dataSource() {
		return new DriverManagerDataSource(server.url("mariadb"));
	}

	@Override
	protected String script() {
		return "fence-mysql.sql";
	}

	/** The default of MariaDB, with locks on gaps between rows. */
	@Test
	void raiseWhenReadsAreRepeatableThenTheSame() throws Exception {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		raiseWhenManyRaceThenNoneOverwritesALaterOne();
	}

	/**
	 * Repeats what MariaDB ended: transactions that insert the first row of a resource
	 * together lock the same gap, so one of them is rolled back.
	 */
	@Override
	void write(long token) {
		while (true) {
			try {
				super.write(token);
				return;
			}
			catch (PessimisticLockingFailureException ex) {
				// Rolled back: nothing was written.
			}
		}
	}

}
