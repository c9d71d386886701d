package io.distlock.observe;

import java.time.Duration;

import io.distlock.Holder;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a caller did not get a lock.
 *
 * @param store the id of the store
 * @param name the request's name for its group of locks, may be empty
 * @param key the lock
 * @param caller the method or place that asked for it, may be empty
 * @param waited the time from the request to its end
 * @param reason why the request ended
 * @param holder the holder of the lock, or {@code null} if not known
 * @param failure the exception that the caller gets, or {@code null} if the caller gets
 * no exception or the exception is created later
 */
public record LockRefused(String store, String name, String key, String caller, Duration waited, RefusalReason reason,
		@Nullable Holder holder, @Nullable RuntimeException failure) {

	/**
	 * Describes the refusal in one sentence for a message.
	 * @return for instance
	 * {@code Lock 'stock:42' was not acquired: busy after 3s, asked for by StockService.sell}
	 */
	public String describe() {
		return "Lock '" + KeyText.of(this.key) + "' was not acquired: " + Texts.of(this.reason) + " after "
				+ Texts.of(this.waited) + (this.caller.isEmpty() ? "" : ", asked for" + Texts.from(this.caller));
	}

	@Override
	public String toString() {
		return "LockRefused[store=" + ForeignText.of(this.store) + ", name=" + ForeignText.of(this.name) + ", key="
				+ KeyText.of(this.key) + ", caller=" + ForeignText.of(this.caller) + ", waited=" + this.waited
				+ ", reason=" + this.reason + ", holder=" + this.holder + "]";
	}

}
