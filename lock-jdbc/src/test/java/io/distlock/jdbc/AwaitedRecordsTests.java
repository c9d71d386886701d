package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Seen;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.test.Pause;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A change of a lock that others wait for often comes second. */
class AwaitedRecordsTests {

	private final String key = "awaited:" + UUID.randomUUID();

	private final JdbcLockRecords records = new JdbcLockRecords(TestDatabase.postgres(),
			JdbcLockStoreSettings.builder().commandTimeout(Duration.ofSeconds(20)).build());

	@BeforeEach
	void start() {
		this.records.start("awaited-" + UUID.randomUUID(), new Nobody());
	}

	@AfterEach
	void stop() {
		this.records.stop();
	}

	@Test
	void refusedChangeReturnsWhatIsThere() {
		Expected first = done(write(new Expected.Free(), "first"));
		Expected second = done(write(first, "second"));
		Seen now = ((Written.Lost) Commands.join(write(first, "third"))).now().orElseThrow();
		assertThat(now.found()).isEqualTo(second);
		assertThat(now.text()).isEqualTo("second");
		assertThat(now.time().now()).isPositive();
		assertThat(done(write(now.found(), "third"))).isNotEqualTo(second);
	}

	@Test
	void refusedChangeOfARowThatWasDeletedFindsNone() throws SQLException {
		Expected first = done(write(new Expected.Free(), "first"));
		execute("DELETE FROM distributed_lock WHERE lock_key = ?");
		Seen now = ((Written.Lost) Commands.join(write(first, "second"))).now().orElseThrow();
		assertThat(now.found()).isEqualTo(new Expected.Absent());
	}

	/** What the statement saw at its beginning is not there any more. */
	@Test
	void refusedChangeThatWaitedForAnotherOneDoesNotReturnTheFormerRecord() throws SQLException {
		Expected before = done(write(new Expected.Free(), "first"));
		for (int i = 0; i < 20; i++) {
			CompletionStage<Written> write;
			try (Connection other = TestDatabase.postgres().getConnection()) {
				other.setAutoCommit(false);
				update(other, "UPDATE distributed_lock SET revision = revision + 1 WHERE lock_key = ?");
				write = write(before, "second");
				Pause.of(Duration.ofMillis(5));
				other.commit();
			}
			Expected expected = before;
			((Written.Lost) Commands.join(write)).now()
				.ifPresent((now) -> assertThat(now.found()).isNotEqualTo(expected));
			before = Commands.join(this.records.read(this.key)).found();
		}
	}

	private CompletionStage<Written> write(Expected expected, String text) {
		return this.records.write(new Change(this.key, expected, text, false, 1, 2, 0, Long.MAX_VALUE / 10_000,
				List.of(), new Summary("holder", 1, 0)));
	}

	private static Expected done(CompletionStage<Written> write) {
		Written written = Commands.join(write);
		assertThat(written).isInstanceOf(Written.Done.class);
		return new Expected.At(((Written.Done) written).version());
	}

	private void execute(String sql) throws SQLException {
		try (Connection connection = TestDatabase.postgres().getConnection()) {
			update(connection, sql);
		}
	}

	private void update(Connection connection, String sql) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			statement.setString(1, new RowNames("").of(this.key));
			assertThat(statement.executeUpdate()).isOne();
		}
	}

}
