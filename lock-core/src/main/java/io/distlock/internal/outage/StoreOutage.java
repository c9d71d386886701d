package io.distlock.internal.outage;

import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.distlock.LockStoreException;
import io.distlock.internal.monitor.Monitor;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.LockClock;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the first failure of an outage, and its end with the numbers. There are three
 * kinds of outages: the store does not answer, refuses to grant locks, or does not
 * confirm releases. A further outage of the first two kinds within a minute is logged
 * only if it lasts for a second, because it may concern one of several servers or one
 * key, and answers about others end it sooner.
 */
public final class StoreOutage {

	private static final Logger logger = LoggerFactory.getLogger(StoreOutage.class);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final LockClock clock;

	/** The lines to log when the lock has been left. */
	private final List<Runnable> lines = new ArrayList<>();

	/** Commands get no answer. */
	private final Kind silence = new Kind(QUIET_NANOS);

	/** Acquisitions are refused. */
	private final Kind refusal = new Kind(QUIET_NANOS);

	/** Releases are not confirmed. The store may still answer other commands. */
	private final Kind unconfirmed = new Kind(0);

	/** Whether there is any outage. */
	private volatile boolean trouble;

	/**
	 * Creates an outage log that knows of no outage.
	 * @param clock the time
	 */
	StoreOutage(LockClock clock) {
		this.clock = clock;
	}

	/**
	 * Notes that the store answered a command without a failure.
	 * @param command the command
	 * @param monitor the monitor within which nothing may be logged
	 */
	void answered(StoreCommand command, @Nullable Monitor monitor) {
		if (this.trouble) {
			locked(monitor, () -> {
				endSilence();
				if (command == StoreCommand.ACQUIRE) {
					endRefusal();
				}
				if (command == StoreCommand.RELEASE) {
					endUnconfirmed();
				}
			});
		}
	}

	/**
	 * Notes that a command ended without a result.
	 * @param command the command
	 * @param failure why
	 * @param monitor the monitor within which nothing may be logged
	 */
	void failed(StoreCommand command, Throwable failure, @Nullable Monitor monitor) {
		Throwable cause = FutureFailures.unwrap(failure);
		if (isInterrupt(cause)) {
			// The interrupt says nothing about the store: it has neither answered nor
			// failed.
			return;
		}
		boolean acquisition = command == StoreCommand.ACQUIRE;
		locked(monitor, () -> {
			if (!(cause instanceof TransientStoreException)) {
				endSilence();
				if (acquisition) {
					refused(cause);
				}
			}
			// A store that refuses to grant locks may also refuse to end requests. These
			// commands are repeated anyway.
			else if (command != StoreCommand.RELEASE || !this.refusal.isOpen()) {
				silent(cause);
			}
		});
	}

	/**
	 * Notes that the call of a user fails. If the store did not answer it, this is an
	 * outage, even if no command has failed: a store that hangs lets none fail.
	 * @param failure why
	 * @param monitor the monitor within which nothing may be logged
	 */
	public void callFailed(LockStoreException failure, Monitor monitor) {
		if (failure instanceof TransientStoreException) {
			Throwable cause = (failure.getCause() instanceof TransientStoreException store) ? store : failure;
			locked(monitor, () -> silent(cause).calls++);
		}
	}

	/**
	 * Logs an outage that has lasted long enough, although nothing happens meanwhile.
	 * Called once a second while there is any key.
	 * @return when to call this again at the latest, or {@code latest}
	 */
	public long check(long latest) {
		if (!this.trouble) {
			return latest;
		}
		AtomicLong next = new AtomicLong();
		locked(null, () -> next.set(this.refusal.check(this.silence.check(latest))));
		return next.get();
	}

	/**
	 * Notes that the store did not confirm a release in time. If that is already known,
	 * the release is only counted.
	 * @param line logs the release, if it is not only counted
	 */
	public void unconfirmed(Runnable line) {
		release(line, (outage) -> outage.unconfirmed++);
	}

	/**
	 * Notes that the store is not asked any more to confirm a release. If it is already
	 * known that the store does not confirm releases, the release is only counted, and
	 * {@link #stopped()} logs the number.
	 * @param line logs the release, if it is not only counted
	 */
	public void abandoned(Runnable line) {
		release(line, (outage) -> outage.abandoned++);
	}

	private void release(Runnable line, Consumer<Outage> count) {
		locked(null, () -> {
			Outage known = ofReleases();
			if (known != null) {
				count.accept(known);
			}
			else {
				this.unconfirmed.failed(line);
			}
		});
	}

	private @Nullable Outage ofReleases() {
		return this.silence.isLogged() ? this.silence.open : this.unconfirmed.open;
	}

	/** Notes that the store is not asked any more. */
	public void stopped() {
		locked(null, () -> {
			Outage known = ofReleases();
			if (known != null && known.abandoned > 0) {
				int releases = known.abandoned;
				this.lines.add(() -> logger
					.warn("The store never confirmed {} release(s); these locks end with their leases", releases));
			}
		});
	}

	/**
	 * Changes the known outages under the lock, and logs the lines of this change
	 * afterwards.
	 */
	private void locked(@Nullable Monitor monitor, Runnable change) {
		List<Runnable> due = List.of();
		this.lock.lock();
		try {
			change.run();
			this.trouble = this.silence.isOpen() || this.refusal.isOpen() || this.unconfirmed.isOpen();
			if (!this.lines.isEmpty()) {
				due = List.copyOf(this.lines);
				this.lines.clear();
			}
		}
		finally {
			this.lock.unlock();
		}
		for (Runnable line : due) {
			Monitor.outside(monitor, line);
		}
	}

	private Outage silent(Throwable cause) {
		return this.silence
			.failed(() -> logger.warn("The store does not answer: {}. Commands are repeated", withoutFullStop(cause)));
	}

	private void endSilence() {
		this.silence.end((over, time) -> {
			String releases = (over.unconfirmed > 0)
					? ", " + over.unconfirmed + " release(s) were not confirmed in time" : "";
			logger.info("The store answers again after {}; {} call(s) failed{}", time, over.calls, releases);
		});
	}

	private void refused(Throwable cause) {
		this.refusal.failed(() -> logger.warn("The store refused to grant a lock: {}. Further refusals are counted",
				withoutFullStop(cause))).calls++;
	}

	private void endRefusal() {
		this.refusal.end((over, time) -> logger.info("The store grants locks again after {}; it refused {} time(s)",
				time, over.calls));
	}

	private void endUnconfirmed() {
		this.unconfirmed.end((over, time) -> {
			if (over.unconfirmed > 0) {
				logger.info("The store confirms releases again after {}; {} more were not confirmed in time", time,
						over.unconfirmed);
			}
		});
	}

	static boolean isInterrupt(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns the message of a failure without its full stop. Clients end some of their
	 * messages with a full stop.
	 */
	private static String withoutFullStop(Throwable failure) {
		String message = ForeignText.messageOf(failure);
		return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
	}

	/** The outages of one kind, one after the other. Guarded by the lock. */
	private final class Kind {

		private final long quietNanos;

		/** The outage that is not over. */
		private @Nullable Outage open;

		/** The beginning of the last outage that was logged. */
		private @Nullable Long lastLogged;

		/**
		 * Creates a kind of outages.
		 * @param quietNanos how long after the beginning of an outage another one must
		 * last before it is logged
		 */
		Kind(long quietNanos) {
			this.quietNanos = quietNanos;
		}

		boolean isOpen() {
			return this.open != null;
		}

		boolean isLogged() {
			return this.open != null && this.open.logged;
		}

		/**
		 * Notes a failure.
		 * @param line logs the failure, if it is the first one of an outage
		 * @return the outage
		 */
		Outage failed(Runnable line) {
			Outage outage = (this.open != null) ? this.open : new Outage(StoreOutage.this.clock.nanoTime(), line);
			this.open = outage;
			logIfDue(outage);
			return outage;
		}

		/** Returns when an outage must be logged, or {@code latest}. */
		long check(long latest) {
			Outage outage = this.open;
			if (outage == null || logIfDue(outage)) {
				return latest;
			}
			long due = outage.since + LASTING_NANOS;
			return (due - latest < 0) ? due : latest;
		}

		/** Logs the first failure, if that is due, and returns whether it is logged. */
		private boolean logIfDue(Outage outage) {
			if (!outage.logged && (this.lastLogged == null || outage.since - this.lastLogged >= this.quietNanos
					|| StoreOutage.this.clock.nanoTime() - outage.since >= LASTING_NANOS)) {
				outage.logged = true;
				this.lastLogged = outage.since;
				StoreOutage.this.lines.add(outage.first);
			}
			return outage.logged;
		}

		/**
		 * Ends the outage, if there is one.
		 * @param line logs the end, with how long the outage lasted
		 */
		void end(BiConsumer<Outage, String> line) {
			Outage over = this.open;
			this.open = null;
			if (over != null && over.logged) {
				Duration lasted = Duration.ofNanos(StoreOutage.this.clock.nanoTime() - over.since);
				StoreOutage.this.lines
					.add(() -> line.accept(over, DurationText.of(lasted.truncatedTo(ChronoUnit.MILLIS))));
			}
		}

	}

	/** A time in which the store does not work as it should. Guarded by the lock. */
	private static final class Outage {

		private final long since;

		/** Logs the first failure. */
		private final Runnable first;

		private boolean logged;

		/** How many calls failed. */
		private int calls;

		/** How many releases were not confirmed in time, without the logged one. */
		private int unconfirmed;

		/** How many releases the engine gave up, without the logged one. */
		private int abandoned;

		Outage(long since, Runnable first) {
			this.since = since;
			this.first = first;
		}

	}

}
