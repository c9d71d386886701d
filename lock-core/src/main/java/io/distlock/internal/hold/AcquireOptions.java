package io.distlock.internal.hold;

import java.time.Duration;

import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.internal.observe.ObservedAcquisition;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * The request of a waiter, completed with the defaults of the settings.
 *
 * @param term how long to hold
 * @param sharing beside which other holds
 * @param waitNanos how long to wait, zero for a single attempt
 * @param store the id of the store, for reports
 * @param name what the request names its group of locks, may be empty
 * @param caller where it asks from
 * @param options what else the request and the settings say
 * @param observed is notified of what becomes of it
 */
public record AcquireOptions(LeaseTerm term, Sharing sharing, long waitNanos, String store, String name, String caller,
		LockOptions options, ObservedAcquisition observed) {

	/**
	 * Completes a request that nothing observes.
	 * @param term how long to hold
	 * @param sharing beside which other holds
	 * @param waitNanos how long to wait, zero for a single attempt
	 * @param caller where it asks from
	 * @param options what else the request and the settings say
	 */
	public AcquireOptions(LeaseTerm term, Sharing sharing, long waitNanos, String caller, LockOptions options) {
		this(term, sharing, waitNanos, "", "", caller, options, ObservedAcquisition.NONE);
	}

	/** Returns how many waiters this process may have for the key, including this one. */
	public int maxWaiters() {
		Integer limit = this.options.maxWaiters();
		return (limit != null) ? limit : Integer.MAX_VALUE;
	}

	/**
	 * How long a caller waits.
	 *
	 * @param time what it asked for or its limit, whichever is less
	 * @param limitedBy reason of the limit, or {@code null} if it does not shorten the
	 * wait
	 */
	public record WaitTime(Duration time, @Nullable String limitedBy) {

		/**
		 * Completes the wait time of a request.
		 * @param request the request
		 * @param settings what counts if the request says nothing, and what limits it
		 */
		public static WaitTime of(LockRequest request, LockSettings settings) {
			return new WaitTime(request.waitTime().orElse(settings.waitTime()), null)
				.limited(request.waitLimit().orElse(null))
				.limited(settings.waitLimit().orElse(null));
		}

		private WaitTime limited(LockRequest.@Nullable WaitLimit limit) {
			return (limit != null && limit.time().compareTo(this.time) < 0) ? new WaitTime(limit.time(), limit.reason())
					: this;
		}

	}

}
