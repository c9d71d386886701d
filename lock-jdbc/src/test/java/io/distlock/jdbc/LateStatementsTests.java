package io.distlock.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A database that answers at the last moment keeps nobody for several timeouts. */
class LateStatementsTests {

	/** Five of them are the timeout, within which a connection is opened too. */
	private static final Duration TRIP = Duration.ofSeconds(1);

	/** A statement is late after a tenth of it. */
	private static final Duration LONG = Duration.ofSeconds(120);

	/** It would need a second statement, as the row is there. */
	@Test
	void changeEndsAfterALateStatement() {
		String key = "late:" + UUID.randomUUID();
		Duration timeout = TRIP.multipliedBy(5);
		assertThat(write(TestDatabase.h2(), LONG, key)).isInstanceOf(Written.Done.class);
		DataSource late = SlowDataSource.of(TestDatabase.h2(), TRIP);
		assertThat(write(late, timeout, key)).isEqualTo(new Written.Lost());
		assertThat(write(late, LONG, key)).isInstanceOf(Written.Done.class);
	}

	/** By a process that does not know the row. */
	private static Written write(DataSource database, Duration timeout, String key) {
		JdbcLockRecords records = new JdbcLockRecords(database,
				JdbcLockStoreSettings.builder().commandTimeout(timeout).build());
		records.start("late", new Nobody());
		try {
			// The first connection is made meanwhile.
			records.read(key).toCompletableFuture().join();
			return records
				.write(new Change(key, new Expected.Free(), "text", true, 1, 2, 0, Long.MAX_VALUE / 10_000, List.of(),
						new Summary("", 0, 0)))
				.toCompletableFuture()
				.join();
		}
		finally {
			records.stop();
		}
	}

}
