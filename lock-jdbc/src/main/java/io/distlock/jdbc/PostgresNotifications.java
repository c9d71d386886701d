package io.distlock.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import io.distlock.records.place.RecordEvents;
import io.distlock.support.ForeignText;
import io.distlock.support.LoopGuard;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens with one thread on one connection while this process uses locks. First it sends
 * a message to this process from another connection, because a pooler, or another kind of
 * server, may deliver no messages.
 */
final class PostgresNotifications implements Notifications {

	private static final Logger logger = LoggerFactory.getLogger(PostgresNotifications.class);

	/** How long the connection is kept after the last request. */
	private static final Duration LINGER = Duration.ofSeconds(60);

	/** How long a message may take after the server has accepted it. */
	private static final Duration TEST = Duration.ofSeconds(1);

	/** How often the connection is used, so that a broken connection is noticed. */
	private static final Duration ALIVE = Duration.ofSeconds(10);

	/** How long the thread waits before it checks whether it is still needed. */
	private static final int WAIT_MILLIS = 100;

	private static final Duration STOP = Duration.ofSeconds(1);

	private static final String NAME = "distributed-lock-jdbc-listen";

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

	/** How long the thread pauses after messages did not arrive, as behind a pooler. */
	private static final Duration GIVE_UP = Duration.ofMinutes(10);

	private final ConnectionSource connections;

	private final StatementWorkers workers;

	private final String channel;

	private final RecordEvents events;

	private final Duration commandTimeout;

	private final Consumer<SQLException> refused;

	private final Thread thread;

	private volatile boolean running = true;

	private volatile boolean arrive;

	private volatile long expectedAt;

	private volatile boolean waits;

	/** Used by the listening thread only, like the pause. */
	private boolean logged;

	private Duration pause = FIRST_PAUSE;

	/**
	 * Starts to listen.
	 * @param refused called when the server refuses statements that notify; listening has
	 * ended by then
	 */
	PostgresNotifications(ConnectionSource connections, StatementWorkers workers, String engine, RecordEvents events,
			Duration commandTimeout, Consumer<SQLException> refused) {
		this.connections = connections;
		this.workers = workers;
		this.channel = Notifications.channel(engine);
		this.events = events;
		this.commandTimeout = commandTimeout;
		this.refused = refused;
		this.expectedAt = System.nanoTime();
		this.thread = new Thread(this::run, NAME);
		this.thread.setDaemon(true);
		this.thread.start();
	}

	@Override
	public void expect() {
		this.expectedAt = System.nanoTime();
		if (this.waits) {
			this.waits = false;
			LockSupport.unpark(this.thread);
		}
	}

	@Override
	public boolean arrive() {
		return this.arrive;
	}

	@Override
	public void abandon() {
		this.running = false;
		LockSupport.unpark(this.thread);
	}

	/**
	 * Lets the thread close its connection: only that thread can close it during a
	 * receive.
	 */
	@Override
	public void stop() {
		abandon();
		try {
			this.thread.join(STOP.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void run() {
		LoopGuard guard = new LoopGuard(NAME);
		Runnable turn = this::listenOnce;
		while (this.running) {
			guard.runOrPause(turn);
		}
	}

	private void listenOnce() {
		if (!isExpected()) {
			awaitExpectation();
			return;
		}
		try (Session session = Session.of(this.connections.connect(this.commandTimeout), this.commandTimeout)) {
			this.pause = listen(session.connection()) ? FIRST_PAUSE : GIVE_UP;
		}
		catch (SQLException | RuntimeException ex) {
			logger.debug("Notifications of the database cannot be received: {}", ForeignText.messageOf(ex));
			this.pause = (this.pause.compareTo(LONGEST_PAUSE) < 0) ? this.pause.multipliedBy(2) : LONGEST_PAUSE;
		}
		if (isExpected()) {
			pause(this.pause);
		}
	}

	private boolean isExpected() {
		return System.nanoTime() - this.expectedAt < LINGER.toNanos();
	}

	private void awaitExpectation() {
		this.waits = true;
		while (this.running && this.waits && !isExpected()) {
			LockSupport.park(this);
		}
		this.waits = false;
	}

	private void pause(Duration pause) {
		long end = System.nanoTime() + pause.toNanos();
		while (this.running && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(this, end - System.nanoTime());
		}
	}

	/** Returns {@code false} if messages do not arrive in this process. */
	private boolean listen(Connection connection) throws SQLException {
		PGConnection postgres = connection.unwrap(PGConnection.class);
		execute(connection, "LISTEN \"" + this.channel + "\"");
		try {
			if (!test(postgres)) {
				if (!this.running) {
					return true;
				}
				logPolling();
				return false;
			}
			this.arrive = true;
			this.events.missed();
			receive(connection, postgres);
			return true;
		}
		finally {
			this.arrive = false;
			if (!connection.isClosed()) {
				execute(connection, "UNLISTEN \"" + this.channel + "\"");
			}
		}
	}

	/** Logs only once: a pooler that delivers no messages now will deliver none later. */
	private void logPolling() {
		if (!this.logged) {
			logger
				.info("Notifications of the database do not arrive, as behind a pooler in transaction mode: waiters of"
						+ " locks poll");
		}
		this.logged = true;
	}

	/**
	 * Sends a message from another connection, as other processes do. Returns {@code
	 * false} if the server accepted the message but it did not arrive, or after a stop.
	 * Throws an exception if the server accepted no message, because then nothing is
	 * known.
	 */
	private boolean test(PGConnection postgres) throws SQLException {
		String text = "T;" + UUID.randomUUID();
		CompletableFuture<Long> sentAt = send(text);
		long late = System.nanoTime() + this.commandTimeout.plus(TEST).toNanos();
		while (this.running) {
			// Looks once more then, because this thread may not have run meanwhile.
			boolean over = isLongAgo(sentAt);
			for (PGNotification message : next(postgres, WAIT_MILLIS)) {
				if (text.equals(message.getParameter())) {
					return true;
				}
			}
			if (sentAt.isCompletedExceptionally() || (!sentAt.isDone() && System.nanoTime() - late > 0)) {
				throw new SQLException("The test message could not be sent");
			}
			if (over) {
				return false;
			}
		}
		return false;
	}

	private static boolean isLongAgo(CompletableFuture<Long> sentAt) {
		return sentAt.isDone() && !sentAt.isCompletedExceptionally()
				&& System.nanoTime() - sentAt.join() > TEST.toNanos();
	}

	/** Sends a message; completes with the time just after the server accepted it. */
	private CompletableFuture<Long> send(String text) {
		return this.workers.submit(StatementWorkers.Urgency.NORMAL, (session, dialect) -> {
			try {
				Notifications.send(session.connection(), this.channel, text);
			}
			catch (SQLException ex) {
				if (!SqlFailure.refusesToNotify(ex)) {
					throw ex;
				}
				abandon();
				this.refused.accept(ex);
			}
			return System.nanoTime();
		}).toCompletableFuture();
	}

	private void receive(Connection connection, PGConnection postgres) throws SQLException {
		int renewals = this.connections.renewals();
		long usedAt = System.nanoTime();
		while (this.running && isExpected() && this.connections.renewals() == renewals) {
			for (PGNotification message : next(postgres, WAIT_MILLIS)) {
				this.events.message(message.getParameter());
			}
			if (System.nanoTime() - usedAt > ALIVE.toNanos()) {
				execute(connection, "SELECT 1");
				usedAt = System.nanoTime();
			}
		}
	}

	private static PGNotification[] next(PGConnection postgres, int millis) throws SQLException {
		PGNotification @Nullable [] messages = postgres.getNotifications(millis);
		return (messages != null) ? messages : new PGNotification[0];
	}

	private static void execute(Connection connection, String sql) throws SQLException {
		try (Statement statement = connection.createStatement()) {
			statement.execute(sql);
		}
	}

}
