package io.distlock.reliability.rig;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.jdbc.JdbcLockStore;
import io.distlock.jdbc.JdbcLockStoreSettings;

/** Makes templates on a database, with a pool as an application has it. */
final class DatabaseLocks {

	private DatabaseLocks() {
	}

	static CloseableLockTemplate template(WorkerOptions options, HikariDataSource pool) {
		JdbcLockStoreSettings store = JdbcLockStoreSettings.builder().commandTimeout(options.millis("timeout")).build();
		LockSettings settings = LockSettings.builder()
			.leaseTime(options.millis("lease"))
			.commandTimeout(options.millis("timeout"))
			.build();
		return LockTemplateBuilder.forStore(new JdbcLockStore(pool, store)).settings(settings).build();
	}

	static HikariDataSource pool(String url) {
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl(url);
		pool.setMaximumPoolSize(1);
		pool.setMinimumIdle(0);
		return pool;
	}

}
