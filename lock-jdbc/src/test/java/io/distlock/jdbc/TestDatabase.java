package io.distlock.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;

import javax.sql.DataSource;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.h2.jdbcx.JdbcConnectionPool;

/** Databases that tests start themselves. */
final class TestDatabase {

	private static EmbeddedPostgres postgres;

	private static DataSource h2;

	private TestDatabase() {
	}

	/** One server for all tests of this process; it ends with the process. */
	static synchronized DataSource postgres() {
		if (postgres == null) {
			try {
				postgres = EmbeddedPostgres.start();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			LockSchema.create(postgres.getPostgresDatabase(), "distributed_lock");
		}
		return postgres.getPostgresDatabase();
	}

	static synchronized DataSource h2() {
		if (h2 == null) {
			h2 = JdbcConnectionPool.create("jdbc:h2:mem:locks;DB_CLOSE_DELAY=-1", "sa", "");
			LockSchema.create(h2, "distributed_lock");
		}
		return h2;
	}

}
