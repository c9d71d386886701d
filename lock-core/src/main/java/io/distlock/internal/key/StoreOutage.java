package io.distlock.internal.key;

import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

import io.distlock.LockStoreException;
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
 * Logs the beginning of an outage once, and its end once with the numbers. In an outage
 * the store does not answer, refuses to grant locks or does not confirm releases. A
 * further outage within a minute is logged only if it lasts, because one of several
 * servers may fail while the others go on answering. A further refusal for the same
 * reason is treated alike, because it may concern only one key.
 */
final class StoreOutage {

	private static final Logger logger = LoggerFactory.getLogger(StoreOutage.class);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** The limit of reasons for refusals that are known at a time. */
	private static final int MOST_REASONS = 16;

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final LockClock clock;

	/** For each reason, the beginning of the last outage that was logged for it. */
	private final Map<String, Long> logged = new HashMap<>();

	/** The lines to log when the lock has been left. */
	private final List<Runnable> lines = new ArrayList<>();

	/** The outage in which commands get no answer. */
	private @Nullable Outage silence;

	/** The outage in which acquisitions are refused. */
	private @Nullable Outage refusal;

	/**
	 * The outage in which releases are not confirmed. The store may still answer other
	 * commands.
	 */
	private @Nullable Outage unconfirmed;

	/** Why commands get no answer, if that is not logged yet. */
	private volatile @Nullable Throwable unlogged;

	/** Whether there is any of these outages. */
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
		if (cause instanceof TransientStoreException) {
			locked(monitor, () -> silent(cause));
		}
		else {
			locked(monitor, () -> {
				endSilence();
				if (command == StoreCommand.ACQUIRE) {
					refused(cause);
				}
			});
		}
	}

	/**
	 * Notes that the call of a user fails. If the store did not answer it, this is an
	 * outage, even if no command has failed: a store that hangs lets none fail.
	 * @param failure why
	 * @param monitor the monitor within which nothing may be logged
	 */
	void callFailed(LockStoreException failure, Monitor monitor) {
		if (failure instanceof TransientStoreException) {
			locked(monitor, () -> {
				silent((failure.getCause() instanceof TransientStoreException cause) ? cause : failure);
				if (this.silence != null) {
					this.silence.counts = this.silence.counts.call();
				}
			});
		}
	}

	/**
	 * Logs an outage that has lasted long enough, although nothing happens meanwhile.
	 * Called once a second while there is any key.
	 * @return when to call this again at the latest, or {@code latest}
	 */
	long check(long latest) {
		Throwable cause = this.unlogged;
		if (cause == null) {
			return latest;
		}
		AtomicLong next = new AtomicLong(latest);
		locked(null, () -> {
			Outage outage = this.silence;
			if (outage != null) {
				silent(cause);
				boolean waits = !outage.isLogged() && this.clock.nanoTime() - outage.since < LASTING_NANOS;
				next.set(waits ? outage.since + LASTING_NANOS : latest);
			}
		});
		return next.get();
	}

	/**
	 * Notes that the store did not confirm a release in time. If that is already known,
	 * the release is only counted.
	 * @param line logs the release, if it is not only counted
	 */
	void unconfirmed(Runnable line) {
		release(line, Counts::unconfirmed);
	}

	/**
	 * Notes that the store is not asked any more to confirm a release. If it is already
	 * known that the store does not confirm releases, the release is only counted, and
	 * {@link #stopped()} logs the number.
	 * @param line logs the release, if it is not only counted
	 */
	void abandoned(Runnable line) {
		release(line, Counts::abandonedOne);
	}

	private void release(Runnable line, UnaryOperator<Counts> counted) {
		locked(null, () -> {
			Outage known = ofReleases();
			if (known != null) {
				known.counts = counted.apply(known.counts);
				return;
			}
			this.unconfirmed = new Outage(this.clock.nanoTime());
			this.lines.add(line);
		});
	}

	private @Nullable Outage ofReleases() {
		return (this.silence != null && this.silence.isLogged()) ? this.silence : this.unconfirmed;
	}

	/** Notes that the store is not asked any more. */
	void stopped() {
		locked(null, () -> {
			Outage known = ofReleases();
			if (known != null && known.counts.abandoned() > 0) {
				int releases = known.counts.abandoned();
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
			this.trouble = this.silence != null || this.refusal != null || this.unconfirmed != null;
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

	private void silent(Throwable cause) {
		if (this.refusal != null && this.refusal.reasons.contains(reason(cause))) {
			// The store also refuses to end the requests that it refused. Ending a
			// request is repeated anyway.
			return;
		}
		Outage outage = (this.silence != null) ? this.silence : new Outage(this.clock.nanoTime());
		this.silence = outage;
		boolean begins = begins(outage, "silence");
		this.unlogged = outage.isLogged() ? null : cause;
		if (begins) {
			this.lines
				.add(() -> logger.warn("The store does not answer: {}. Commands are repeated", withoutFullStop(cause)));
		}
	}

	private void endSilence() {
		Outage over = this.silence;
		this.silence = null;
		this.unlogged = null;
		if (over != null && over.isLogged()) {
			String time = lasted(over);
			Counts counts = over.counts;
			String releases = (counts.releases() > 0)
					? ", " + counts.releases() + " release(s) were not confirmed in time" : "";
			this.lines.add(() -> logger.info("The store answers again after {}; {} call(s) failed{}", time,
					counts.calls(), releases));
		}
	}

	private void refused(Throwable cause) {
		Outage outage = (this.refusal != null) ? this.refusal : new Outage(this.clock.nanoTime());
		this.refusal = outage;
		outage.counts = outage.counts.call();
		if (begins(outage, reason(cause))) {
			this.lines.add(() -> logger.warn("The store refused to grant a lock: {}. Further refusals are counted",
					withoutFullStop(cause)));
		}
	}

	private void endRefusal() {
		Outage over = this.refusal;
		this.refusal = null;
		if (over != null && over.isLogged()) {
			String time = lasted(over);
			this.lines.add(() -> logger.info("The store grants locks again after {}; it refused {} time(s)", time,
					over.counts.calls()));
		}
	}

	private void endUnconfirmed() {
		Outage over = this.unconfirmed;
		this.unconfirmed = null;
		if (over != null && over.counts.releases() > 0) {
			String time = lasted(over);
			this.lines
				.add(() -> logger.info("The store confirms releases again after {}; {} more were not confirmed in time",
						time, over.counts.releases()));
		}
	}

	/**
	 * Returns the reason of a refusal. Servers begin their errors with a code. The text
	 * after it may contain the key.
	 */
	private static String reason(Throwable refusal) {
		Throwable root = refusal;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return root.getClass().getName() + " " + ForeignText.messageOf(root).split(" ", 2)[0];
	}

	private String lasted(Outage over) {
		return DurationText.of(Duration.ofNanos(this.clock.nanoTime() - over.since).truncatedTo(ChronoUnit.MILLIS));
	}

	/**
	 * Returns whether an outage must be logged now for a reason. The result is true only
	 * once for each reason.
	 */
	private boolean begins(Outage outage, String reason) {
		long now = this.clock.nanoTime();
		Long last = this.logged.get(reason);
		boolean worthALine = last == null || outage.since - last >= QUIET_NANOS || now - outage.since >= LASTING_NANOS;
		if (!worthALine || outage.reasons.size() >= MOST_REASONS || !outage.reasons.add(reason)) {
			return false;
		}
		if (this.logged.size() >= MOST_REASONS) {
			this.logged.clear();
		}
		this.logged.put(reason, outage.since);
		return true;
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

	/** A time in which the store does not work as it should. Guarded by the lock. */
	private static final class Outage {

		private final long since;

		/** The reasons for which the outage was logged. */
		private final Set<String> reasons = new HashSet<>();

		private Counts counts = new Counts(0, 0, 0);

		Outage(long since) {
			this.since = since;
		}

		boolean isLogged() {
			return !this.reasons.isEmpty();
		}

	}

	/**
	 * What an outage did that is not logged yet.
	 *
	 * @param calls how many calls failed
	 * @param releases how many releases were not confirmed in time
	 * @param abandoned how many releases the engine gave up
	 */
	private record Counts(int calls, int releases, int abandoned) {

		Counts call() {
			return new Counts(this.calls + 1, this.releases, this.abandoned);
		}

		Counts unconfirmed() {
			return new Counts(this.calls, this.releases + 1, this.abandoned);
		}

		Counts abandonedOne() {
			return new Counts(this.calls, this.releases, this.abandoned + 1);
		}

	}

}
