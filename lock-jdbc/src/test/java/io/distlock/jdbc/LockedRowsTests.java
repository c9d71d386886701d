package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Attempts at rows that are kept leave the connections to other locks. */
class LockedRowsTests {

	private final AtomicLong now = new AtomicLong();

	private final LockedRows rows = new LockedRows(this.now::get);

	@Test
	void pausesBeginWithTheThirdRefusalAndGrowWithTheRows() {
		assertThat(this.rows.refused("a")).isZero();
		assertThat(this.rows.refused("a")).isZero();
		assertThat(this.rows.refused("a")).as("two changes have met").hasMillis(3);
		this.now.addAndGet(Duration.ofMillis(20).toNanos());
		assertThat(this.rows.refused("a")).as("the row is kept").hasMillis(100);
		this.rows.refused("b");
		assertThat(this.rows.refused("a")).hasMillis(200);
		for (int i = 0; i < 50; i++) {
			this.rows.refused("c" + i);
		}
		assertThat(this.rows.refused("a")).hasMillis(1000);
	}

	/** The application may use up the common pool, and its threads wait for locks. */
	@Test
	void answerAfterAPauseNeedsNoThreadOfTheApplication() throws SQLException {
		JdbcLockRecords records = new JdbcLockRecords(TestDatabase.postgres(), TestDatabase.SETTINGS);
		records.start("locked", new Nobody());
		String key = "locked:" + UUID.randomUUID();
		try (Connection other = TestDatabase.postgres().getConnection();
				Statement statement = other.createStatement()) {
			Written.Done done = (Written.Done) Commands.join(records.write(change(key, new Expected.Absent())));
			other.setAutoCommit(false);
			statement.execute("SELECT 1 FROM distributed_lock WHERE lock_key = '" + key + "' FOR UPDATE");
			Set<String> threads = new HashSet<>();
			for (int i = 0; i < 6; i++) {
				threads.add(Commands.join(records.write(change(key, new Expected.At(done.version())))
					.thenApply((written) -> Thread.currentThread().getName())));
			}
			other.rollback();
			assertThat(threads)
				.allSatisfy((thread) -> assertThat(thread).doesNotMatch("Thread-\\d+|ForkJoinPool.*worker.*"));
		}
		finally {
			records.stop();
		}
	}

	private static Change change(String key, Expected expected) {
		return new Change(key, expected, "text", true, 1, 2, 0, Long.MAX_VALUE / 10_000, List.of(),
				new Summary("", 0, 0));
	}

	@Test
	void answerOrTimeEndsIt() {
		for (int i = 0; i < 5; i++) {
			this.rows.refused("a");
			this.rows.refused("b");
		}
		this.rows.answered("a");
		assertThat(this.rows.refused("a")).isZero();
		this.now.addAndGet(Duration.ofSeconds(4).toNanos());
		assertThat(this.rows.refused("b")).isZero();
	}

}
