package io.distlock.internal.ownership;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.Extension;
import io.distlock.internal.waiting.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The readers of this process share one lease of the store. A further reader joins them
 * without a command while other processes are not known to wait, and the last answer of
 * the store about this is recent. Otherwise a renewal asks the store first. Joining is
 * limited like handing off a lock.
 */
final class Readers implements Owners {

	/** How often the store is asked at most whether other processes still wait. */
	private static final long QUESTION_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final String key;

	private final StoreLease lease;

	private final long token;

	private final EngineClock clock;

	private final Set<Hold> holds = new LinkedHashSet<>();

	private final Map<Thread, Hold> ofThreads = new HashMap<>();

	/** The last question to the store for the next reader in the queue. */
	private @Nullable Question question;

	/**
	 * Before this moment no reader ends by itself or exceeds its maximum hold time. A
	 * large group is searched only after it.
	 */
	private long firstDue;

	/**
	 * Creates a group without readers.
	 * @param key the key
	 * @param lease the lease that they share
	 * @param token the fencing token of all of them
	 * @param clock the time
	 */
	Readers(String key, StoreLease lease, long token, EngineClock clock) {
		this.key = key;
		this.lease = lease;
		this.token = token;
		this.clock = clock;
		this.firstDue = clock.nanoTime() + LocalDeadline.FOREVER_NANOS;
	}

	@Override
	public List<Hold> holds() {
		return List.copyOf(this.holds);
	}

	@Override
	public Hold first() {
		return this.holds.iterator().next();
	}

	@Override
	public @Nullable Hold of(@Nullable Thread thread) {
		return (thread != null) ? this.ofThreads.get(thread) : null;
	}

	@Override
	public boolean areOrphaned() {
		return this.holds.stream().allMatch(Hold::isOrphaned);
	}

	// Joining

	/**
	 * Lets a reader join, or asks the store whether it may join.
	 * @param next the next reader in the queue
	 * @param mayAsk whether commands may still be sent
	 * @return its hold, or {@code null} if it may not join yet
	 */
	@Nullable Hold join(Waiter next, boolean mayAsk) {
		long now = this.clock.nanoTime();
		if (lastsFor(next) && this.lease.handOffs().mayStay(now)) {
			this.lease.handOffs().handedOff();
			return admit(next.owner(), now);
		}
		if (mayAsk) {
			ask(next, now);
		}
		return null;
	}

	/** Admits a reader. */
	Hold admit(Owner next, long now) {
		Hold reader = Hold.ofReader(this.key, this.lease, next, this.token, cap(next.term(), now), this.clock);
		this.holds.add(reader);
		this.firstDue = reader.ownDueBy(this.firstDue);
		Thread thread = reader.owner().thread();
		if (thread != null) {
			this.ofThreads.put(thread, reader);
		}
		return reader;
	}

	/**
	 * Returns when the hold of a reader ends even if the lease is renewed. That happens
	 * to a reader with a fixed lease time.
	 */
	private static long cap(LeaseTerm term, long now) {
		return term.renewed() ? now + LocalDeadline.FOREVER_NANOS
				: LocalDeadline.after(now, term.duration().toMillis());
	}

	private boolean lastsFor(Waiter next) {
		long remaining = this.lease.remaining();
		boolean lasts = this.lease.renewals().goesOn() && !this.lease.renewals().tooShortFor(next.term(), remaining)
				&& this.lease.handOffs().lastsFor(remaining, next.term());
		return lasts || (this.question != null && this.question.isAnsweredFor(next));
	}

	/**
	 * Plans a renewal that asks the store for the next reader: whether other processes
	 * still wait, or for a longer lease.
	 */
	private void ask(Waiter next, long now) {
		if (answerOwed()) {
			return;
		}
		long soon = this.lease.handOffs().seenAt() + QUESTION_NANOS;
		if (lastsFor(next) && soon - now > 0) {
			this.lease.renewals().noLaterThan(soon);
			return;
		}
		this.lease.renewals().lengthen(next.term(), this.lease.remaining(), now);
		this.lease.renewals().hurry(now);
		this.question = new Question(next, now, false);
	}

	/** Returns whether the next reader in the queue waits for an answer of the store. */
	boolean answerOwed() {
		return this.question != null && !this.question.answered();
	}

	/**
	 * Returns whether the answer has been missing for too long. The next reader then asks
	 * again.
	 */
	boolean missAnswer(long now, long timeoutNanos) {
		boolean missed = this.question != null && answerOwed() && now - this.question.since() >= timeoutNanos;
		if (missed) {
			this.question = null;
		}
		return missed;
	}

	/** Returns when the answer of the store is overdue. */
	long answerDueBy(long latest, long timeoutNanos) {
		return (this.question != null && answerOwed())
				? LocalDeadline.earlier(latest, this.question.since() + timeoutNanos) : latest;
	}

	/** Notes that a reader has extended its hold. */
	void extended(Extension extension, long now) {
		extension.hold().capNoSoonerThan(cap(extension.term(), now));
	}

	/**
	 * Notes that the store has renewed the lease.
	 * @param sentAt when the renewal was sent
	 * @param before until when the lease was valid before
	 */
	void confirmed(long sentAt, long before) {
		for (Hold hold : this.holds) {
			hold.leaseExtended(before);
			this.firstDue = hold.ownDueBy(this.firstDue);
		}
		if (this.question != null && this.question.isOlderThan(sentAt)) {
			if (!this.question.answered()) {
				this.lease.handOffs().spend();
			}
			this.question = this.question.withAnswer();
		}
	}

	// Leaving

	@Override
	public boolean leave(Hold reader) {
		boolean last = this.holds.size() == 1 && this.holds.contains(reader);
		if (!last) {
			this.holds.remove(reader);
			Thread thread = reader.owner().thread();
			if (thread != null) {
				this.ofThreads.remove(thread, reader);
			}
		}
		return last;
	}

	@Override
	public List<Hold> expired(long now) {
		return (this.lease.deadline() - now <= 0) ? holds() : due(now, (hold) -> hold.deadline() - now <= 0);
	}

	@Override
	public List<Hold> overrun(long now) {
		return due(now, (hold) -> hold.becomesOverrun(now));
	}

	private List<Hold> due(long now, Predicate<Hold> condition) {
		if (this.firstDue - now > 0) {
			return List.of();
		}
		List<Hold> due = this.holds.stream().filter(condition).toList();
		this.firstDue = now + LocalDeadline.FOREVER_NANOS;
		for (Hold hold : this.holds) {
			this.firstDue = hold.ownDueBy(this.firstDue);
		}
		return due;
	}

	@Override
	public long dueBy(long latest) {
		return LocalDeadline.earlier(LocalDeadline.earlier(latest, this.lease.deadline()), this.firstDue);
	}

	/**
	 * A question to the store: do other processes wait, or can the lease be extended?
	 *
	 * @param asking the reader that asks
	 * @param since when it asked
	 * @param answered whether a renewal that was sent since then is confirmed
	 */
	private record Question(Waiter asking, long since, boolean answered) {

		boolean isOlderThan(long sentAt) {
			return sentAt - this.since >= 0;
		}

		/** Returns whether the store has confirmed the lease since this reader asked. */
		boolean isAnsweredFor(Waiter next) {
			return this.answered && this.asking == next;
		}

		Question withAnswer() {
			return new Question(this.asking, this.since, true);
		}

	}

}
