package io.distlock.redlock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * What this process has asked for and may still hold, and for a moment what it has ended.
 */
final class QuorumRequests {

	private final Map<Id, QuorumRequest> requests = new ConcurrentHashMap<>();

	private record Id(String key, RequestId request) {
	}

	/**
	 * The request, which may hold the lock on some node until then.
	 * @param key the lock
	 * @param request the engine's request
	 * @param until a moment of the monotonic clock
	 * @return what is known of it
	 */
	QuorumRequest get(String key, RequestId request, long until) {
		return this.requests.compute(new Id(key, request), (id, known) -> {
			if (known == null) {
				return new QuorumRequest(request, until);
			}
			known.mayHoldUntil(until);
			return known;
		});
	}

	@Nullable QuorumRequest find(String key, RequestId request) {
		return this.requests.get(new Id(key, request));
	}

	/** Forgets what is over, and nothing that somebody just asked for again. */
	void forget(long now) {
		this.requests.forEach((id, request) -> {
			if (over(request, now)) {
				this.requests.computeIfPresent(id, (same, known) -> over(known, now) ? null : known);
			}
		});
	}

	private static boolean over(QuorumRequest request, long now) {
		return now - request.overAt() >= 0;
	}

	int size() {
		return this.requests.size();
	}

}
