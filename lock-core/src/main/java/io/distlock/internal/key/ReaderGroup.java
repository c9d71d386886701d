package io.distlock.internal.key;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import io.distlock.internal.time.EngineClock;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import org.jspecify.annotations.Nullable;

/**
 * The readers of this process that share one lease of the store. This class decides
 * whether a reader may join, and whether the store must be asked first. Joining is
 * limited like handing off a lock. Confined to the monitor of the key.
 */
final class ReaderGroup {

	private final String key;

	private final StoreLease lease;

	private final long token;

	private final EngineClock clock;

	private final Set<Hold> holds = new LinkedHashSet<>();

	private final Map<Thread, Hold> ofThreads = new HashMap<>();

	private final WaiterProbe probe;

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
	 * @param confirmed whether the store has just reported the waiting processes
	 * @param clock the time
	 */
	ReaderGroup(String key, StoreLease lease, long token, boolean confirmed, EngineClock clock) {
		this.key = key;
		this.lease = lease;
		this.token = token;
		this.clock = clock;
		long now = clock.nanoTime();
		this.probe = new WaiterProbe(now, confirmed);
		this.firstDue = now + LocalDeadline.FOREVER_NANOS;
	}

	StoreLease lease() {
		return this.lease;
	}

	WaiterProbe probe() {
		return this.probe;
	}

	/** Returns a list of all readers that stays as it is while readers leave. */
	List<Hold> all() {
		return List.copyOf(this.holds);
	}

	/** Returns the reader that came first. */
	Hold first() {
		return this.holds.iterator().next();
	}

	@Nullable Hold of(@Nullable Thread thread) {
		return (thread != null) ? this.ofThreads.get(thread) : null;
	}

	boolean ownersGone() {
		return this.holds.stream().allMatch(Hold::isOrphaned);
	}

	/** Admits a reader. */
	Hold admit(Owner next, long now) {
		Hold reader = Hold.ofReader(this.key, this.lease, next, this.token, cap(next.term(), now), this.clock);
		add(reader);
		return reader;
	}

	/** Adds the hold of a reader. */
	void add(Hold reader) {
		this.holds.add(reader);
		this.firstDue = reader.ownDueBy(this.firstDue);
		Thread thread = reader.owner().thread();
		if (thread != null) {
			this.ofThreads.put(thread, reader);
		}
	}

	/**
	 * Returns when the hold of a reader ends even if the lease is renewed. That happens
	 * to a reader with a fixed lease time.
	 */
	private static long cap(LeaseTerm term, long now) {
		return term.renewed() ? now + LocalDeadline.FOREVER_NANOS
				: LocalDeadline.after(now, term.duration().toMillis());
	}

	/** Returns whether a reader may join without a question to the store. */
	boolean mayJoin(Waiter next, long now) {
		return lastsFor(next, now) && this.lease.handOffs().mayShare(now);
	}

	private boolean lastsFor(Waiter next, long now) {
		long remaining = this.lease.remaining();
		boolean lasts = this.lease.goesOn() && !this.lease.tooShortFor(next.term(), remaining)
				&& this.lease.handOffs().lastsFor(remaining, next.term());
		return lasts || this.probe.covers(next);
	}

	/**
	 * Plans a renewal that asks the store for the next reader: whether other processes
	 * still wait, or for a longer lease.
	 * @param next the next reader in the queue
	 * @param now the monotonic clock
	 */
	void ask(Waiter next, long now) {
		if (this.probe.pending()) {
			return;
		}
		if (lastsFor(next, now) && this.probe.next() - now > 0) {
			this.lease.noLaterThan(this.probe.next());
			return;
		}
		this.lease.lengthen(next.term(), this.lease.remaining(), now);
		this.lease.hurry(now);
		this.probe.begin(next, now);
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
		if (this.probe.answered(sentAt)) {
			this.lease.handOffs().spend();
		}
	}

	/**
	 * Removes a reader. The last reader stays until the lease ends. So after an error the
	 * group still has a reader, whose release is repeated.
	 * @param reader the reader
	 * @return whether it is the last reader
	 */
	boolean leave(Hold reader) {
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

	/** Returns the readers whose hold has ended. */
	List<Hold> expired(long now) {
		return (this.lease.deadline() - now <= 0) ? all() : due(now, (hold) -> hold.deadline() - now <= 0);
	}

	/** Returns the readers that exceed their maximum hold time, each of them once. */
	List<Hold> overrun(long now) {
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

	/** Returns when a reader may be due or an answer is overdue. */
	long dueBy(long latest, long timeoutNanos) {
		long next = this.probe.dueBy(latest, timeoutNanos);
		return LocalDeadline.earlier(LocalDeadline.earlier(next, this.lease.deadline()), this.firstDue);
	}

}
