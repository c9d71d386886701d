package io.distlock.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockOverrun;
import io.distlock.LossReason;

/** What users and listeners are told of a hold that went wrong. */
final class HoldStory {

	private HoldStory() {
	}

	/**
	 * A hold that is over without a release. A new exception each time: the same one
	 * cannot be suppressed onto itself when a body and the closing of its handle both
	 * report the loss.
	 * @param hold the hold
	 * @param why what happened
	 * @param when it was noticed
	 * @return the exception
	 */
	static LockLostException lost(Hold hold, LossReason why, Instant when) {
		return new LockLostException(
				new LockLoss(hold.key(), hold.fencingToken(), hold.acquiredAt(), hold.lastConfirmed(), when,
						hold.renewal().lease().duration(), hold.taker().ownerName(), hold.taker().caller(), why),
				null);
	}

	/** A hold that should be over. */
	static LockOverrun tooLong(Hold hold) {
		Waiter taker = hold.taker();
		Duration maxHold = Objects.requireNonNull(taker.options().maxHold());
		Thread thread = taker.thread();
		List<StackTraceElement> stack = (thread != null) ? List.of(thread.getStackTrace()) : List.of();
		return new LockOverrun(hold.key(), hold.fencingToken(), hold.acquiredAt(), maxHold, taker.ownerName(),
				taker.caller(), stack);
	}

}
