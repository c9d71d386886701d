package io.distlock.internal.key;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The readers of this process that share one hold in the store: which readers there are,
 * which reader may join, and what the store is asked before the next one may. Joining is
 * limited like handing off a lock. Confined to the monitor of the key.
 */
final class ReaderGroup {

	/** What the store keeps; it has no owner. */
	private final Hold stored;

	private final long never;

	private final Set<Hold> holds = new LinkedHashSet<>();

	private final Map<Thread, Hold> ofThreads = new HashMap<>();

	private final WaiterProbe probe;

	/**
	 * Creates a group without readers.
	 * @param stored what the store keeps
	 * @param confirmed whether the store has just reported the waiting processes
	 * @param never a moment that does not come
	 */
	ReaderGroup(Hold stored, boolean confirmed, long never) {
		this.stored = stored;
		this.never = never;
		this.probe = new WaiterProbe(stored.acquiredNanos(), confirmed);
	}

	WaiterProbe probe() {
		return this.probe;
	}

	/** All readers, to be iterated while some leave. */
	List<Hold> all() {
		return List.copyOf(this.holds);
	}

	/** The reader that came first. */
	Hold first() {
		return this.holds.iterator().next();
	}

	@Nullable Hold of(@Nullable Thread thread) {
		return (thread != null) ? this.ofThreads.get(thread) : null;
	}

	boolean ownersGone() {
		return this.holds.stream().allMatch((hold) -> hold.taker().ownerGone());
	}

	/** Admits a reader. */
	Hold admit(Waiter next, long now) {
		ReaderHold reader = new ReaderHold(this.stored, next, cap(next, now), now);
		add(reader);
		return reader;
	}

	/** Adds the hold of a reader. */
	void add(Hold reader) {
		this.holds.add(reader);
		Thread thread = reader.taker().thread();
		if (thread != null) {
			this.ofThreads.put(thread, reader);
		}
	}

	/** A fixed lease ends for its reader even if the hold in the store is renewed. */
	private long cap(Waiter waiter, long now) {
		LeaseTerm term = waiter.term();
		return term.renewed() ? this.never : LocalDeadline.after(now, term.duration().toMillis());
	}

	/** Whether a reader may join without a question to the store. */
	boolean mayJoin(Waiter next, long now) {
		return lastsFor(next) && this.stored.lease().mayShare(now);
	}

	private boolean lastsFor(Waiter next) {
		long remaining = this.stored.remaining();
		Renewer renewer = this.stored.renewer();
		boolean lasts = renewer.goesOn() && !renewer.tooShortFor(next.term(), remaining)
				&& this.stored.lease().lastsFor(remaining, next.term());
		return lasts || this.probe.covers(next);
	}

	/**
	 * Prepares the question of the next reader to the store: whether other processes
	 * still wait, or for a longer lease.
	 * @param next the next reader in the queue
	 * @param now the monotonic clock
	 * @return whether the caller must send a renewal to ask it
	 */
	boolean ask(Waiter next, long now) {
		if (this.probe.pending()) {
			return false;
		}
		if (lastsFor(next) && this.probe.next() - now > 0) {
			this.stored.renewer().noLaterThan(this.probe.next());
			return false;
		}
		this.stored.renewer().lengthen(next.term(), this.stored.remaining(), now);
		this.probe.begin(next, now);
		return true;
	}

	/** A reader has entered its hold once more. */
	void nested(Hold reader, Waiter nested, long now) {
		if (reader instanceof ReaderHold capped) {
			capped.capNoSoonerThan(cap(nested, now));
		}
		reader.follow(this.stored);
	}

	/** The hold in the store was renewed, or ends sooner. */
	void follow() {
		// mutant: readers-follow
		this.holds.forEach((hold) -> hold.follow(this.stored));
	}

	/**
	 * The store has confirmed the hold.
	 * @param term what the renewal requested
	 * @param sentAt when it was sent
	 * @param waiters how many other processes wait
	 * @param now the monotonic clock
	 * @return whether this answers the question for the next reader in the queue
	 */
	boolean confirmed(LeaseTerm term, long sentAt, int waiters, long now) {
		if (waiters == 0) {
			this.stored.lease().uncontended(sentAt);
		}
		follow();
		boolean asked = this.probe.pending();
		this.probe.answered(sentAt);
		boolean pending = this.probe.pending();
		if (!pending && this.holds.stream().noneMatch((hold) -> hold.reentry().unansweredBy(sentAt, term))) {
			this.stored.renewer().confirmed(now, this.stored.remaining());
		}
		return asked && !pending;
	}

	/**
	 * Removes a reader. The last one stays: it ends with the lease, and if an error comes
	 * before that, the group still has a reader whose release is repeated.
	 * @param reader the reader
	 * @return whether it is the last one
	 */
	boolean leave(Hold reader) {
		// mutant: last-reader
		boolean last = this.holds.size() == 1 && this.holds.contains(reader);
		if (!last) {
			// mutant: reader-leaves
			this.holds.remove(reader);
			Thread thread = reader.taker().thread();
			if (thread != null) {
				this.ofThreads.remove(thread, reader);
			}
		}
		return last;
	}

	List<Hold> expired(long now) {
		return this.holds.stream().filter((hold) -> hold.deadline() - now <= 0).toList();
	}

	/** When the first reader is over, or an answer is missing. */
	long dueBy(long latest, long timeoutNanos) {
		long next = this.probe.dueBy(latest, timeoutNanos);
		for (Hold hold : this.holds) {
			next = hold.reentry().dueBy(hold.dueBy(next), timeoutNanos);
		}
		return next;
	}

}
