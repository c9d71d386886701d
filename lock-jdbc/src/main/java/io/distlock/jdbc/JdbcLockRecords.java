package io.distlock.jdbc;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.jdbc.StatementWorkers.Urgency;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordEvents;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.CallingThread;
import io.distlock.support.ForeignText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps each lock in one row, and changes it with one statement in a separate
 * transaction. So isolation levels, deadlocks and the caller's transaction do not matter.
 */
final class JdbcLockRecords implements LockRecords {

	private static final Logger logger = LoggerFactory.getLogger(JdbcLockRecords.class);

	private static final int LONGEST = 1_000_000;

	private static final RecordTraits TRAITS = new RecordTraits(RecordTraits.Lifetime.CLOCK, false, LONGEST);

	private static final long MICROS = 1000;

	/** A little less than PostgreSQL's limit; the receiver of a longer message polls. */
	private static final int LONGEST_MESSAGE = 7900;

	/**
	 * A second statement follows only if the first answer came within this part of the
	 * command timeout.
	 */
	private static final int PROMPT_PART = 10;

	private static final char AFTER_PRINTABLE = 0x7f;

	private final DatabaseClock clock = new DatabaseClock(System::nanoTime);

	/**
	 * Identifies each write; a counter would repeat a number after the database lost
	 * writes.
	 */
	private final Random revisions = new SecureRandom();

	private final KnownRows knownRows = new KnownRows();

	private final LockedRows lockedRows = new LockedRows(System::nanoTime);

	/** For any session, and for one that is limited for good. */
	private final Map<Dialect, Sql> statements = new ConcurrentHashMap<>();

	private final Map<Dialect, Sql> statementsOfLimited = new ConcurrentHashMap<>();

	private final DataSource dataSource;

	private final JdbcLockStoreSettings settings;

	private final RowNames names;

	private final DatabaseName place;

	private volatile Started started = new Started("", Optional.empty(), null, null);

	private volatile Notifications notifications = Notifications.NONE;

	/** Whether this store sends changes to other processes. */
	private final AtomicBoolean notifies = new AtomicBoolean();

	JdbcLockRecords(DataSource dataSource, JdbcLockStoreSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
		this.names = new RowNames(settings.keyPrefix());
		this.place = new DatabaseName(settings.table());
	}

	@Override
	public RecordTraits traits() {
		return TRAITS;
	}

	@Override
	public void start(String engine, RecordEvents events) {
		this.notifies.set(this.settings.notifications());
		ConnectionSource source = ConnectionSource.like(this.dataSource, this.settings, this.settings.commandTimeout());
		this.place.expect(source.url());
		source.warnIfShared(this.settings.connections());
		StatementWorkers workers = new StatementWorkers(source, this.settings.connections(),
				this.settings.commandTimeout(), this.clock, this.place);
		this.started = new Started(engine, Optional.ofNullable(events), source, workers);
	}

	@Override
	public Duration connecting() {
		StatementWorkers running = this.started.workers();
		return (running != null) ? running.connecting() : Duration.ZERO;
	}

	@Override
	public void expectMessages() {
		this.notifications.expect();
	}

	@Override
	public boolean listens() {
		return this.notifications.arrive();
	}

	/** Starts to listen once a connection has shown the dialect. */
	private void listen(Dialect dialect) {
		boolean wanted = dialect == Dialect.POSTGRESQL && ConnectionSource.POSTGRES && this.notifies.get();
		Started running = this.started;
		ConnectionSource source = running.connections();
		StatementWorkers workers = running.workers();
		if (wanted && this.notifications == Notifications.NONE && source != null && source.isOwn() && workers != null) {
			listen(running, source, workers);
		}
	}

	private synchronized void listen(Started running, ConnectionSource source, StatementWorkers workers) {
		if (this.notifications == Notifications.NONE && this.started == running) {
			running.events()
				.ifPresent((receiver) -> this.notifications = new PostgresNotifications(source, workers,
						running.engine(), receiver, this.settings.commandTimeout(), this::pollFromNowOn));
		}
	}

	@Override
	public synchronized void stop() {
		this.notifications.stop();
		this.notifications = Notifications.NONE;
		Started running = this.started;
		// Later answers still need the engine's id.
		this.started = new Started(running.engine(), running.events(), null, null);
		if (running.workers() != null) {
			running.workers().stop();
		}
		if (running.connections() != null) {
			running.connections().close();
		}
	}

	/**
	 * Holds the objects that a start has created.
	 *
	 * @param engine the id of the engine
	 * @param events is notified if the engine wants events
	 * @param connections {@code null} before a start and after a stop
	 * @param workers {@code null} before a start and after a stop
	 */
	private record Started(String engine, Optional<RecordEvents> events, @Nullable ConnectionSource connections,
			@Nullable StatementWorkers workers) {
	}

	@Override
	public String describe() {
		return this.place.toString();
	}

	@Override
	public CompletionStage<Seen> read(String key) {
		return read(key, CallingThread.NONE);
	}

	@Override
	public CompletionStage<Seen> read(String key, CallingThread caller) {
		return run(Urgency.NORMAL, (session, dialect) -> seen(statements(session, dialect).read(this.names.of(key))),
				caller);
	}

	@Override
	public CompletionStage<Written> write(Change change) {
		return write(change, CallingThread.NONE);
	}

	@Override
	public CompletionStage<Written> write(Change change, CallingThread caller) {
		Row row = new Row(this.names.of(change.key()), this.revisions.nextLong(), change);
		CompletionStage<Attempt> attempt = run(Urgency.HIGH,
				goesTogether(row) ? new Update(row) : (session, dialect) -> attempt(session, dialect, row), caller);
		return attempt.thenCompose((made) -> after(made.pause, made.written))
			.thenApply((written) -> deliver(change, written));
	}

	private Attempt attempt(Session session, Dialect dialect, Row row) throws SQLException {
		if (isOver(row.change())) {
			return new Attempt(new Written.Lost(), Duration.ZERO);
		}
		try {
			Written written = write(session, dialect, row);
			this.lockedRows.answered(row.name());
			return new Attempt(written, Duration.ZERO);
		}
		catch (SQLException ex) {
			return switch (SqlFailure.of(ex)) {
				case RACE, DUPLICATE -> new Attempt(new Written.Lost(), Duration.ZERO);
				case LOCKED -> locked(row, ex);
				default -> throw ex;
			};
		}
	}

	/**
	 * Fails after half of the command timeout, so that the caller still learns the
	 * reason.
	 */
	private Attempt locked(Row row, SQLException failure) throws SQLException {
		Duration pause = this.lockedRows.refused(row.name());
		if (this.lockedRows.since(row.name()).compareTo(this.settings.commandTimeout().dividedBy(2)) > 0) {
			throw failure;
		}
		return new Attempt(new Written.Lost(), pause);
	}

	/**
	 * Answers after a pause during which no thread of the store waits. The answer needs
	 * no thread of the common pool, because the application may use them all.
	 */
	private static CompletionStage<Written> after(Duration pause, Written written) {
		return pause.isZero() ? CompletableFuture.completedFuture(written)
				: CompletableFuture.supplyAsync(() -> written,
						CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Runnable::run));
	}

	/**
	 * The result of one try.
	 *
	 * @param written the answer
	 * @param pause how long to wait before the answer, which leads to another try
	 */
	private record Attempt(Written written, Duration pause) {
	}

	/**
	 * Returns whether a row may share a statement with others. A change that notifies
	 * other processes needs a separate statement. So does a row that was refused lately,
	 * because it may still be locked.
	 */
	private boolean goesTogether(Row row) {
		return row.change().expected() instanceof Expected.At && messages(row.change()).isEmpty()
				&& !this.lockedRows.isRefused(row.name());
	}

	/** A change of a row whose version is known. */
	private final class Update implements RowUpdates.Update<Attempt> {

		private final Row row;

		private Update(Row row) {
			this.row = row;
		}

		@Override
		public Row row() {
			return this.row;
		}

		@Override
		public Attempt on(Session session, Dialect dialect) throws SQLException {
			return attempt(session, dialect, this.row);
		}

		@Override
		public Set<Long> together(Session session, Dialect dialect, List<Row> rows) throws SQLException {
			return update(session, dialect, rows);
		}

		@Override
		public Attempt answer(boolean changed) {
			if (changed) {
				return new Attempt(done(this.row, true), Duration.ZERO);
			}
			return new Attempt(new Written.Lost(), isOver(this.row.change()) ? Duration.ZERO
					: JdbcLockRecords.this.lockedRows.refused(this.row.name()));
		}

	}

	private Set<Long> update(Session session, Dialect dialect, List<Row> rows) throws SQLException {
		List<Row> valid = rows.stream().filter((row) -> !isOver(row.change())).toList();
		try {
			return valid.isEmpty() ? Set.of() : new RowBatch(statements(session, dialect)).update(dialect, valid);
		}
		catch (SQLException ex) {
			SqlFailure failure = SqlFailure.of(ex);
			if (failure == SqlFailure.RACE || failure == SqlFailure.LOCKED) {
				return Set.of();
			}
			throw ex;
		}
	}

	/**
	 * Reads records on a connection of the caller, and locks them until its transaction
	 * ends. All processes lock rows in the same order, so no deadlock occurs.
	 */
	Map<String, String> lockRows(Connection connection, Collection<String> keys) throws SQLException {
		Sql sql = Dialect.of(connection).sql(this.settings.table(), this.settings.commandTimeout());
		Map<String, String> records = new HashMap<>();
		try (PreparedStatement statement = connection.prepareStatement(sql.lockRow())) {
			// The caller's connection may have no time limit.
			statement.setQueryTimeout(Math.max(1, (int) this.settings.commandTimeout().plusMillis(999).toSeconds()));
			for (String key : keys.stream().sorted(Comparator.comparing(this.names::of)).toList()) {
				statement.setString(1, this.names.of(key));
				try (ResultSet row = statement.executeQuery()) {
					records.put(key, row.next() ? row.getString(1) : "");
				}
			}
		}
		return records;
	}

	/** Returns whether a change waited for so long that the database would refuse it. */
	private boolean isOver(Change change) {
		OptionalLong now = this.clock.estimate();
		return now.isPresent() && Math.floorDiv(now.getAsLong(), MICROS) > change.notAfter();
	}

	@Override
	public Optional<StoreTime> estimate() {
		OptionalLong micros = this.clock.estimate();
		return micros.isPresent() ? Optional.of(time(micros.getAsLong())) : Optional.empty();
	}

	/**
	 * Deletes rows that were not used for long, and checks for each that it is still
	 * unused.
	 */
	CompletionStage<Integer> collect(Duration keep, int most) {
		return run(Urgency.NORMAL, (session, dialect) -> {
			RowStatements statements = statements(session, dialect);
			long before = seen(statements.read(this.names.of(""))).time().now() - keep.toMillis();
			return new RowCollector(statements).collect(before, most);
		});
	}

	private <T> CompletionStage<T> run(Urgency urgency, StatementWorkers.Work<T> work) {
		return run(urgency, work, CallingThread.NONE);
	}

	private <T> CompletionStage<T> run(Urgency urgency, StatementWorkers.Work<T> work, CallingThread caller) {
		StatementWorkers running = this.started.workers();
		return (running != null) ? running.submit(urgency, work, caller)
				: CompletableFuture.failedFuture(LockStoreException.notRunning("store on " + this.place));
	}

	private RowStatements statements(Session session, Dialect dialect) {
		listen(dialect);
		String table = this.settings.table();
		Duration timeout = this.settings.commandTimeout();
		Sql sql = session.isLimited()
				? this.statementsOfLimited.computeIfAbsent(dialect, (first) -> first.sqlOfLimited(table, timeout))
				: this.statements.computeIfAbsent(dialect, (first) -> first.sql(table, timeout));
		return new RowStatements(session.connection(), sql, this.clock);
	}

	private Seen seen(RowStatements.Found found) {
		StoreTime time = time(found.micros());
		return (found.record() != null) ? new Seen(new Expected.At(found.revision()), found.record(), 0, time)
				: new Seen(new Expected.Absent(), "", 0, time);
	}

	private StoreTime time(long micros) {
		return new StoreTime(Math.floorDiv(micros, MICROS), micros, this.started.engine(), (incarnation) -> false);
	}

	private Written write(Session session, Dialect dialect, Row row) throws SQLException {
		RowStatements statements = statements(session, dialect);
		Expected expected = row.change().expected();
		if (expected instanceof Expected.At) {
			return isContended(dialect, row.change()) ? updateAndNotify(statements, row)
					: done(row, statements.update(row));
		}
		if (expected instanceof Expected.Absent) {
			return done(row, statements.insert(row));
		}
		if (dialect.takesAtOnce()) {
			RowStatements.Changed taken = statements.take(row);
			return taken.changed() ? done(row, true) : new Written.Lost(Optional.of(seen(taken.found())));
		}
		return this.knownRows.contains(row.name()) ? takeKnown(statements, row) : lookAndTake(statements, row);
	}

	private Written takeKnown(RowStatements statements, Row row) throws SQLException {
		long sentAt = this.clock.nanoTime();
		if (statements.takeIdle(row)) {
			return done(row, true);
		}
		if (isLate(sentAt)) {
			return new Written.Lost();
		}
		Seen now = seen(statements.read(row.name()));
		if (now.found() instanceof Expected.Absent) {
			this.knownRows.remove(row.name());
		}
		return new Written.Lost(Optional.of(now));
	}

	/** Provokes no error of the database, because some drivers log each one. */
	private Written lookAndTake(RowStatements statements, Row row) throws SQLException {
		long sentAt = this.clock.nanoTime();
		Seen now = seen(statements.read(row.name()));
		if (isLate(sentAt)) {
			return new Written.Lost();
		}
		if (now.found() instanceof Expected.Absent) {
			boolean inserted = statements.insert(row);
			if (inserted) {
				this.knownRows.add(row.name());
			}
			return done(row, inserted);
		}
		this.knownRows.add(row.name());
		boolean taken = !Sql.isHeld(now.text()) && statements.takeIdle(row);
		return taken ? done(row, true) : new Written.Lost(Optional.of(now));
	}

	/**
	 * Returns whether too little time is left, because a caller waits for one command
	 * timeout.
	 */
	private boolean isLate(long sentAt) {
		return this.clock.nanoTime() - sentAt > this.settings.commandTimeout().toNanos() / PROMPT_PART;
	}

	/**
	 * Returns whether a change must notify other processes, or whether they may change
	 * the record too. If so, the statement of the change also returns the record.
	 */
	private boolean isContended(Dialect dialect, Change change) {
		boolean awaited = change.summary().waiting() > 0 || !messages(change).isEmpty();
		return dialect == Dialect.POSTGRESQL && this.notifies.get() && awaited;
	}

	/**
	 * Returns the messages to send: neither messages to this process nor long messages.
	 */
	private List<Message> messages(Change change) {
		return change.messages()
			.stream()
			.filter((message) -> !isOwn(message) && message.text().length() <= LONGEST_MESSAGE)
			.toList();
	}

	private boolean isOwn(Message message) {
		return message.engine().equals(this.started.engine());
	}

	/** Delivers the messages for this process directly, without the database. */
	private Written deliver(Change change, Written written) {
		if (written instanceof Written.Done && this.notifications.arrive()) {
			this.started.events()
				.ifPresent((receiver) -> change.messages()
					.stream()
					.filter(this::isOwn)
					.forEach((message) -> receiver.message(message.text())));
		}
		return written;
	}

	/**
	 * Repeats the change without messages if the database refuses them; waiters poll
	 * then.
	 */
	private Written updateAndNotify(RowStatements statements, Row row) throws SQLException {
		try {
			RowStatements.Changed update = statements.updateAndNotify(row, messages(row.change()));
			if (update.changed()) {
				return done(row, true);
			}
			Seen seen = seen(update.found());
			// The snapshot contains the former record if another transaction changed the
			// row meanwhile.
			boolean former = seen.found().equals(row.change().expected());
			return former ? new Written.Lost() : new Written.Lost(Optional.of(seen));
		}
		catch (SQLException ex) {
			if (!SqlFailure.refusesToNotify(ex)) {
				throw ex;
			}
			// If this fails too, the messages were not the reason.
			boolean won = statements.update(row);
			pollFromNowOn(ex);
			return done(row, won);
		}
	}

	private void pollFromNowOn(SQLException refusal) {
		if (this.notifies.compareAndSet(true, false)) {
			logger.warn("The database refuses notifications in {}, so waiters of locks poll from now on: {}",
					this.place, ForeignText.messageOf(refusal));
		}
		this.notifications.abandon();
	}

	@Override
	public boolean lists() {
		return true;
	}

	@Override
	public CompletionStage<Listing> list(String prefix, String cursor, int most) {
		return run(Urgency.NORMAL, (session, dialect) -> {
			String beginning = this.names.beginning(prefix);
			List<Named> found = new ArrayList<>();
			String last = cursor;
			RowStatements statements = statements(session, dialect);
			try (PreparedStatement statement = session.connection().prepareStatement(statements.sql().busyRows())) {
				statement.setMaxRows(most + 1);
				statement.setString(1, cursor);
				statement.setString(2, beginning);
				// Names are printable ASCII, so every name with this beginning comes
				// before this value.
				statement.setString(3, beginning + AFTER_PRINTABLE);
				long sentAt = this.clock.nanoTime();
				try (ResultSet rows = statements.rows(statement)) {
					while (found.size() < most && rows.next()) {
						last = rows.getString(4);
						found.add(new Named(this.names.key(last), seen(statements.found(rows, sentAt))));
					}
					return new Listing(found, rows.next() ? last : "");
				}
			}
		});
	}

	private static Written done(Row row, boolean won) {
		return won ? new Written.Done(row.revision(), 0) : new Written.Lost();
	}

}
