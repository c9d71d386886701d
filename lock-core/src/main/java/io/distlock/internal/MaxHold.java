package io.distlock.internal;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The time after which somebody should know how long a lock is held. Confined to the
 * monitor of the key.
 */
final class MaxHold {

	private final long moment;

	private boolean told;

	private MaxHold(long moment) {
		this.moment = moment;
	}

	/** That of a hold, or {@code null} if it may last for any time. */
	static @Nullable MaxHold of(Waiter taker, long acquiredAt) {
		Duration longest = taker.options().maxHold();
		return (longest != null) ? new MaxHold(acquiredAt + LocalDeadline.nanos(longest)) : null;
	}

	/** Whether the time is over; says so once. */
	boolean reached(long now) {
		boolean news = !this.told && this.moment - now <= 0;
		this.told |= news;
		return news;
	}

	long dueBy(long latest) {
		return this.told ? latest : LocalDeadline.earlier(this.moment, latest);
	}

}
