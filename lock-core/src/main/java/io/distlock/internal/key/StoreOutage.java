package io.distlock.internal.key;

import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.spi.LockClock;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs once that the store does not answer, and once that it answers again. Of several
 * outages within a minute the later ones are logged only if they last: one of several
 * servers may fail while the others go on answering.
 */
final class StoreOutage {

	private static final Logger logger = LoggerFactory.getLogger(StoreOutage.class);

	private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

	private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final AtomicReference<@Nullable Outage> current = new AtomicReference<>();

	private final LockClock clock;

	private final Executor lines;

	private volatile @Nullable Outage logged;

	/**
	 * Creates an outage log that knows of no outage.
	 * @param clock the time
	 * @param lines writes lines to the log in order, which may block: the calling thread
	 * has an answer to handle
	 */
	StoreOutage(LockClock clock, Executor lines) {
		this.clock = clock;
		this.lines = lines;
	}

	/** The store answered a command; an error is an answer too. */
	void answered() {
		Outage over = this.current.get();
		if (over != null && this.current.compareAndSet(over, null) && over.logged().get()) {
			Duration time = Duration.ofNanos(this.clock.nanoTime() - over.since());
			this.lines.execute(() -> logger.info("The store answers again after {}; {} command(s) failed",
					DurationText.of(time.truncatedTo(ChronoUnit.MILLIS)), over.failures().get()));
		}
	}

	/**
	 * A command ended without a result.
	 * @param failure why
	 */
	void failed(Throwable failure) {
		Throwable cause = FutureFailures.unwrap(failure);
		if (isInterrupt(cause)) {
			// The store has neither answered nor failed to.
			return;
		}
		if (!(cause instanceof TransientStoreException)) {
			answered();
			return;
		}
		long now = this.clock.nanoTime();
		this.current.compareAndSet(null, new Outage(now, new AtomicInteger(), new AtomicBoolean()));
		Outage outage = this.current.get();
		if (outage != null) {
			outage.failures().incrementAndGet();
			if (worthALine(outage, now) && outage.logged().compareAndSet(false, true)) {
				this.logged = outage;
				this.lines.execute(() -> logger.warn("The store does not answer: {}. Commands are repeated",
						withoutFullStop(cause)));
			}
		}
	}

	private static boolean isInterrupt(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
				return true;
			}
		}
		return false;
	}

	/** Clients end some of their messages with one. */
	private static String withoutFullStop(Throwable failure) {
		String message = ForeignText.messageOf(failure);
		return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
	}

	private boolean worthALine(Outage outage, long now) {
		Outage last = this.logged;
		return last == null || outage.since() - last.since() >= QUIET_NANOS || now - outage.since() >= LASTING_NANOS;
	}

	/**
	 * A time without answers.
	 *
	 * @param since when the first command failed
	 * @param failures how many commands failed
	 * @param logged whether its begin was logged
	 */
	private record Outage(long since, AtomicInteger failures, AtomicBoolean logged) {
	}

}
