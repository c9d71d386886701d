package io.distlock.operations;

import java.time.Instant;
import java.util.List;

import io.distlock.Holder;
import io.distlock.spi.LockSnapshot;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Reports what a release by force has ended.
 *
 * @param key the lock
 * @param by the user or program that gave the order
 * @param reason why
 * @param at when the release happened, by this machine's clock
 * @param seen how many holds there were just before the release; 0 if the lock was free
 * @param ended the holds that were ended, lowest token first; empty if the lock was free,
 * or was passed on at the same moment
 * @param waiting how many instances waited at that moment
 */
public record ForcedRelease(String key, String by, String reason, Instant at, int seen, List<LockSnapshot.Hold> ended,
		int waiting) {

	private static final int NAMED = 5;

	/**
	 * Creates a report with texts that are fit for messages.
	 * @param key the lock
	 * @param by the user or program that gave the order
	 * @param reason why
	 * @param at when
	 * @param seen how many holds there were just before
	 * @param ended the holds that were ended
	 * @param waiting how many instances waited at that moment
	 */
	public ForcedRelease {
		by = ForeignText.of(by);
		reason = ForeignText.of(reason);
		ended = List.copyOf(ended);
	}

	/**
	 * Describes the release in one sentence for a message.
	 * @return for instance
	 * {@code Lock 'a' was released by force by alice: the import hangs; 1 hold ended (token 17, shop@pod-7 …), 2 waiting}
	 */
	public String describe() {
		if (this.ended.isEmpty() && this.seen > 0) {
			return "Lock '" + KeyText.of(this.key) + "' passed to another holder while " + this.by
					+ " released it by force: " + this.reason
					+ "; no hold was ended, release it again if it still hangs; " + this.waiting + " waiting";
		}
		if (this.ended.isEmpty()) {
			return "Lock '" + KeyText.of(this.key) + "' was not held when " + this.by + " released it by force: "
					+ this.reason + "; " + this.waiting + " waiting";
		}
		StringBuilder text = new StringBuilder("Lock '").append(KeyText.of(this.key))
			.append("' was released by force by ")
			.append(this.by)
			.append(": ")
			.append(this.reason)
			.append("; ")
			.append(this.ended.size())
			.append((this.ended.size() == 1) ? " hold ended" : " holds ended");
		for (LockSnapshot.Hold hold : this.ended.subList(0, Math.min(NAMED, this.ended.size()))) {
			Holder holder = hold.holder();
			text.append(" (token ")
				.append(hold.fencingToken())
				.append((holder != null) ? ", " + holder.describe(this.at) : "")
				.append(')');
		}
		return text.append((this.ended.size() > NAMED) ? " …" : "")
			.append(", ")
			.append(this.waiting)
			.append(" waiting")
			.toString();
	}

	@Override
	public String toString() {
		return "ForcedRelease[key=" + KeyText.of(this.key) + ", by=" + this.by + ", reason=" + this.reason + ", at="
				+ this.at + ", seen=" + this.seen + ", ended=" + this.ended + ", waiting=" + this.waiting + "]";
	}

}
