package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The question to the store for the next reader in the queue: do other processes wait, or
 * can the lease be extended? The reader may wait for the answer. Confined to the monitor
 * of the key.
 */
final class WaiterProbe {

	/** The interval at which the store is asked whether other processes still wait. */
	private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** The moment at which the store last reported the waiting processes. */
	private long knownAt;

	private @Nullable Question question;

	/** The reader for which the store has extended the lease. */
	private @Nullable Waiter covered;

	/**
	 * Creates a probe without a question.
	 * @param now the monotonic clock
	 * @param known whether the store has just reported the waiting processes
	 */
	WaiterProbe(long now, boolean known) {
		this.knownAt = known ? now : now - PROBE_NANOS;
	}

	/** Records when the store reported the waiting processes. */
	void known(long moment) {
		this.knownAt = moment;
	}

	/**
	 * Allows a new question at once, because the report of the store is not true any
	 * more.
	 */
	void outdated(long now) {
		this.knownAt = now - PROBE_NANOS;
	}

	/** Returns when the next question to the store is useful. */
	long next() {
		return this.knownAt + PROBE_NANOS;
	}

	/** Returns whether the next reader in the queue waits for an answer. */
	boolean pending() {
		return this.question != null;
	}

	void begin(Waiter asking, long now) {
		this.question = new Question(asking, now, now);
	}

	/**
	 * Returns whether the answer has been missing for too long. The result is true once
	 * per timeout.
	 */
	boolean missesAnswer(long now, long timeoutNanos) {
		boolean missed = this.question != null && now - this.question.reportedAt() >= timeoutNanos;
		if (this.question != null && missed) {
			this.question = new Question(this.question.asking(), this.question.since(), now);
		}
		return missed;
	}

	/**
	 * Handles the answer of the store to a renewal.
	 * @param sentAt when the renewal was sent
	 * @return whether the next reader in the queue waited for this answer
	 */
	boolean answered(long sentAt) {
		this.knownAt = sentAt;
		if (this.question == null || sentAt - this.question.since() < 0) {
			return false;
		}
		this.covered = this.question.asking();
		this.question = null;
		return true;
	}

	/**
	 * Returns whether the store has confirmed the lease since the question for this
	 * reader.
	 */
	boolean covers(Waiter next) {
		return this.covered == next;
	}

	long dueBy(long latest, long timeoutNanos) {
		return (this.question != null) ? LocalDeadline.earlier(latest, this.question.reportedAt() + timeoutNanos)
				: latest;
	}

	/**
	 * A question to the store for a reader.
	 */
	private record Question(Waiter asking, long since, long reportedAt) {
	}

}
