package io.distlock.internal.key;

import java.time.Duration;

import io.distlock.LockOptions;
import io.distlock.LockRequest;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.Sharing;
import org.jspecify.annotations.Nullable;

/**
 * What a waiter wants: a request, completed by the settings.
 *
 * @param term how long to hold
 * @param sharing beside which other holds
 * @param waitNanos how long to wait, zero for a single attempt
 * @param maxWaiters how many may wait in this process, this one included
 * @param caller where it asks from
 * @param options what else the request and the settings say
 */
public record AcquireOptions(LeaseTerm term, Sharing sharing, long waitNanos, int maxWaiters, String caller,
		LockOptions options) {

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
			Duration wanted = request.waitTime().orElse(defaultTime);
			LockRequest.WaitLimit limit = request.waitLimit().orElse(null);
			boolean shortened = limit != null && limit.time().compareTo(wanted) < 0;
			return (limit != null && shortened) ? new WaitTime(limit.time(), limit.reason())
					: new WaitTime(wanted, null);
		}

	}

}
