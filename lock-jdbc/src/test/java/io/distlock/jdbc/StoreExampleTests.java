package io.distlock.jdbc;

import javax.sql.DataSource;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The example of {@code docs/stores.md}. */
class StoreExampleTests {

	@Test
	void storeKeepsLocks() {
		DataSource dataSource = TestDatabase.h2();
		// tag::store[]
		LockSchema.create(dataSource, "distributed_lock");
		LockStore store = new JdbcLockStore(dataSource, JdbcLockStoreSettings.DEFAULTS);
		// end::store[]
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(store).build();
				LockHandle handle = template.acquire(LockRequest.of("book"))) {
			assertThat(handle.isHeld()).isTrue();
		}
	}

}
