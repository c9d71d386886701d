package io.distlock.internal;

import org.jspecify.annotations.Nullable;

/**
 * How a thread enters the hold it has once more: at once, or when the store has
 * lengthened the lease for it. Confined to the monitor of the key.
 */
final class Nesting {

	private final EngineContext engine;

	private final Monitor monitor;

	private final Renewer renewer;

	Nesting(EngineContext engine, Monitor monitor, Renewer renewer) {
		this.engine = engine;
		this.monitor = monitor;
		this.renewer = renewer;
	}

	/**
	 * Lets the owner in once more, after an extension if its wish goes beyond the lease.
	 * @param hold its hold
	 * @param nested what it wants
	 * @param kept what the store keeps: the same hold, or the one that it shares
	 * @param sharing those who share it, or {@code null} if one has it alone
	 */
	void enter(Hold hold, Waiter nested, Hold kept, @Nullable SharedHold sharing) {
		long now = this.engine.now();
		if (kept.renewal().lengthen(nested.lease(), kept.remaining(), now)) {
			hold.extensions(hold.extensions().with(nested, now));
			this.renewer.renew(kept, sharing);
		}
		else {
			enter(hold, nested, sharing);
		}
	}

	private void enter(Hold hold, Waiter nested, @Nullable SharedHold sharing) {
		hold.enter(nested.shared());
		if (sharing != null) {
			sharing.nested(hold, nested);
		}
		nested.end(new Waiter.Outcome.Granted(hold), this.monitor);
	}

	/**
	 * The store has confirmed the hold. An answer to what was sent before they asked does
	 * not concern those who nest.
	 */
	void confirmed(Hold hold, long sentAt, @Nullable SharedHold sharing) {
		if (!hold.extensions().begunAfter(sentAt)) {
			hold.takeExtensions().forEach((nested) -> enter(hold, nested, sharing));
		}
	}

	void cancel(Hold hold, Waiter nested) {
		hold.extensions(hold.extensions().without(nested));
	}

	void fail(Hold hold, RuntimeException failure) {
		hold.takeExtensions().forEach((nested) -> nested.end(new Waiter.Outcome.Failed(failure), this.monitor));
	}

	/** Fails those who wait for longer than the store may take to answer. */
	void failUnanswered(Hold hold, long now) {
		if (hold.extensions().unanswered(now, this.engine.timeoutNanos())) {
			fail(hold, this.engine.failures().unanswered(hold.key(), null));
		}
	}

}
