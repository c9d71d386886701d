package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rest of a minimum hold: the last handle is closed, nobody owns the lock, and it
 * stays taken until its time is over. The store is told the whole rest at once, so that
 * it keeps the lock for that long, and not until the end of its lease, if this process
 * ends meanwhile. Confined to the monitor of the key.
 */
final class MinimumHold {

	private static final Logger logger = LoggerFactory.getLogger("io.distlock");

	private @Nullable Hold kept;

	private long until;

	/** Whether the store would give it to others before, unless it is told. */
	private boolean outlivesLease;

	/**
	 * Keeps a hold that was just left by everybody, if its time is not over.
	 * @param hold the hold
	 * @param now the monotonic clock
	 * @return whether it is kept
	 */
	boolean begin(Hold hold, long now) {
		Duration minHold = hold.taker().options().minHold();
		if (minHold == null || hold.givenBack() || hold.acquiredNanos() + LocalDeadline.nanos(minHold) - now <= 0) {
			return false;
		}
		this.kept = hold;
		this.until = hold.acquiredNanos() + LocalDeadline.nanos(minHold);
		this.outlivesLease = this.until - hold.deadline() > 0;
		hold.keep();
		hold.renewal().once(rest(now), now);
		logger.debug("Lock '{}': stays taken for another {} ms", KeyText.of(hold.key()),
				TimeUnit.NANOSECONDS.toMillis(this.until - now));
		return true;
	}

	/** Whole milliseconds, which are what stores count. */
	private Duration rest(long now) {
		return Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(this.until - now) + 1);
	}

	boolean keeps(@Nullable Hold hold) {
		return hold != null && hold == this.kept;
	}

	/** Whether the store has still to be told. */
	boolean untold() {
		return this.kept != null && this.kept.renewal().scheduled();
	}

	/**
	 * Whether it is worth to tell the store again; if not, it is not told any more.
	 * @param now the monotonic clock
	 */
	boolean mayStillBeTold(long now) {
		Hold hold = this.kept;
		if (hold == null || hold.deadline() - now > 0) {
			return hold != null;
		}
		hold.renewal().stop();
		if (this.outlivesLease) {
			logger.warn("Lock '{}': the store could not be told of its minimum hold; it may be taken by others before",
					KeyText.of(hold.key()));
		}
		return false;
	}

	/**
	 * Lets go of what was kept for long enough.
	 * @param now the monotonic clock
	 * @return what is to be released now, or {@code null}
	 */
	@Nullable Hold takeOver(long now) {
		Hold hold = this.kept;
		if (hold == null || this.until - now > 0) {
			return null;
		}
		this.kept = null;
		hold.release();
		return hold;
	}

	/** The store does not know it any more. */
	void forget() {
		this.kept = null;
	}

	long dueBy(long latest) {
		return (this.kept != null) ? LocalDeadline.earlier(latest, this.until) : latest;
	}

}
