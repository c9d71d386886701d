package io.distlock.observe;

import java.time.Duration;

import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Reports that the owner of a lock released it. The release mode decides whether the
 * store has already confirmed the release.
 *
 * @param store the id of the store
 * @param name the request's name for its group of locks, may be empty
 * @param key the lock
 * @param caller the method or place that asked for it, may be empty
 * @param fencingToken token of the hold
 * @param held the time from the grant to the release
 */
public record LockReleased(String store, String name, String key, String caller, long fencingToken, Duration held) {

	/**
	 * Describes the release in one sentence for a message.
	 * @return for instance
	 * {@code Lock 'stock:42' was released after 250ms, fencing token 17, by StockService.sell}
	 */
	public String describe() {
		return "Lock '" + KeyText.of(this.key) + "' was released after " + Texts.of(this.held) + ", fencing token "
				+ this.fencingToken + Texts.by(this.caller);
	}

	@Override
	public String toString() {
		return "LockReleased[store=" + ForeignText.of(this.store) + ", name=" + ForeignText.of(this.name) + ", key="
				+ KeyText.of(this.key) + ", caller=" + ForeignText.of(this.caller) + ", fencingToken="
				+ this.fencingToken + ", held=" + this.held + "]";
	}

}
