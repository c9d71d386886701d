package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;

import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The question to the store that the next reader in the queue may wait for: do other
 * processes wait, or can the lease be extended? Confined to the monitor of the key.
 */
final class WaiterProbe {

	/** How often the store is asked whether other processes still wait. */
	private static final long PROBE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** When the store reported the waiting processes. */
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

	/** The store reported the waiting processes. */
	void known(long moment) {
		this.knownAt = moment;
	}

	/** The report of the store is not true any more: it is worth asking at once. */
	void outdated(long now) {
		this.knownAt = now - PROBE_NANOS;
	}

	/** Returns when it is worth asking the store again. */
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

	/** Returns whether the answer is missing for too long; true once per timeout. */
	boolean missesAnswer(long now, long timeoutNanos) {
		boolean missed = this.question != null && now - this.question.reportedAt() >= timeoutNanos;
		if (this.question != null && missed) {
			this.question = new Question(this.question.asking(), this.question.since(), now);
		}
		return missed;
	}

	/**
	 * The store has answered a renewal that was sent at a moment.
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
	 * Returns whether the store has confirmed the lease since it was asked for this
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
	 * A question that the store is asked for a reader, and the time of the last report
	 * that its answer is missing.
	 */
	private record Question(Waiter asking, long since, long reportedAt) {
	}

}
