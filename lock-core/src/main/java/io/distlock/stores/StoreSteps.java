package io.distlock.stores;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.spi.LockClock;

/**
 * What a request comes to, one lock in one store after the other. The order is by key,
 * then by the order of the stores of that key: the same in all processes, also if some of
 * them know fewer stores of a key already or still, so processes cannot wait for each
 * other.
 */
final class StoreSteps {

	private static final String LIMIT = "what earlier locks of the request have left of the wait time";

	private static final long ROUND_UP = TimeUnit.MILLISECONDS.toNanos(1) - 1;

	private final List<Step> steps = new ArrayList<>();

	private final LockClock clock;

	private final long giveUp;

	/**
	 * Creates the steps of a request.
	 * @param request all of it
	 * @param templates the stores of a key
	 * @param clock the time
	 * @param defaultWait the wait time of a request that sets none
	 */
	StoreSteps(LockRequest request, Function<String, List<LockTemplate>> templates, LockClock clock,
			Duration defaultWait) {
		this.clock = clock;
		Duration wait = request.waitTime().orElse(defaultWait);
		Duration limit = request.waitLimit().map(LockRequest.WaitLimit::time).orElse(wait);
		this.giveUp = clock.nanoTime() + nanos((limit.compareTo(wait) < 0) ? limit : wait);
		for (String key : request.keys()) {
			for (LockTemplate template : templates.apply(key)) {
				this.steps.add(new Step(key, template, request.forKey(key)));
			}
		}
	}

	/** Half of the range of a clock that may wrap is far away. */
	private static long nanos(Duration time) {
		long most = Long.MAX_VALUE / 2;
		return (time.compareTo(Duration.ofNanos(most)) < 0) ? time.toNanos() : most;
	}

	List<Step> steps() {
		return this.steps;
	}

	/**
	 * The request of a step, with what is left of the wait time, in milliseconds to be
	 * read.
	 */
	LockRequest request(Step step) {
		if (step == this.steps.get(0)) {
			return step.request();
		}
		long left = Math.max(0, this.giveUp - this.clock.nanoTime());
		return step.request().limitWait(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(left + ROUND_UP)), LIMIT);
	}

	/**
	 * One lock in one store.
	 *
	 * @param key the lock
	 * @param template acquires it there
	 * @param request all that is wanted of it
	 */
	record Step(String key, LockTemplate template, LockRequest request) {
	}

}
