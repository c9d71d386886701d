package io.distlock.internal.key;

import java.time.Duration;

import io.distlock.LockOptions;
import io.distlock.LockRequest;
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
	int maxWaiters() {
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
	record WaitTime(Duration time, @Nullable String limitedBy) {

		/**
		 * Completes the wait time of a request.
		 * @param request the request
		 * @param defaultTime what counts if the request says nothing
		 */
		static WaitTime of(LockRequest request, Duration defaultTime) {
			Duration time = timeOf(request, defaultTime);
			boolean shortened = time.compareTo(request.waitTime().orElse(defaultTime)) < 0;
			return new WaitTime(time,
					shortened ? request.waitLimit().map(LockRequest.WaitLimit::reason).orElse(null) : null);
		}

		/** Returns the time alone, which each acquisition needs. */
		static Duration timeOf(LockRequest request, Duration defaultTime) {
			Duration wanted = request.waitTime().orElse(defaultTime);
			LockRequest.WaitLimit limit = request.waitLimit().orElse(null);
			return (limit != null && limit.time().compareTo(wanted) < 0) ? limit.time() : wanted;
		}

	}

}
