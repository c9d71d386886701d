package io.distlock.observe;

import java.time.Duration;

import io.distlock.Holder;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a caller got a lock.
 *
 * @param store the id of the store
 * @param name the request's name for its group of locks, may be empty
 * @param key the lock
 * @param caller the method or place that asked for it, may be empty
 * @param fencingToken token of the hold
 * @param waited the time from the request to the grant
 * @param how how the holder got the lock
 * @param before the holder while this caller waited, or {@code null} if the caller did
 * not wait or the holder is not known
 */
public record LockAcquired(String store, String name, String key, String caller, long fencingToken, Duration waited,
		GrantKind how, @Nullable Holder before) {

	/**
	 * Describes the acquisition in one sentence for a message.
	 * @return for instance
	 * {@code Lock 'stock:42' was acquired after 12ms (push), fencing token 17, by StockService.sell}
	 */
	public String describe() {
		return "Lock '" + KeyText.of(this.key) + "' was acquired after " + Texts.of(this.waited) + " ("
				+ Texts.of(this.how) + "), fencing token " + this.fencingToken + Texts.by(this.caller);
	}

	@Override
	public String toString() {
		return "LockAcquired[store=" + ForeignText.of(this.store) + ", name=" + ForeignText.of(this.name) + ", key="
				+ KeyText.of(this.key) + ", caller=" + ForeignText.of(this.caller) + ", fencingToken="
				+ this.fencingToken + ", waited=" + this.waited + ", how=" + this.how + ", before=" + this.before + "]";
	}

}
