package io.distlock.records;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/**
 * Looks at records that a message from anywhere says were changed for this process. There
 * is one look at a time per request that waits, however many messages arrive.
 */
final class Hints {

	private final Map<Id, AtomicBoolean> waiting = new ConcurrentHashMap<>();

	private final LaneContext lanes;

	private final Duration commandTimeout;

	Hints(LaneContext lanes, Duration commandTimeout) {
		this.lanes = lanes;
		this.commandTimeout = commandTimeout;
	}

	/** A request of this process waits in the record. */
	void queued(String key, RequestId request) {
		this.waiting.putIfAbsent(new Id(key, request), new AtomicBoolean());
	}

	/** A request of this process does not wait any more. */
	void over(String key, RequestId request) {
		this.waiting.remove(new Id(key, request));
	}

	/** Reads whether a request was granted, if it waits. */
	void look(String key, RequestId request, StoreListener listener) {
		AtomicBoolean looks = this.waiting.get(new Id(key, request));
		if (looks == null || !looks.compareAndSet(false, true)) {
			return;
		}
		LaneJob<Optional<Grant>> job = new LaneJob<>(LaneJob.Kind.LOOK,
				this.lanes.nanoTime() + this.commandTimeout.toNanos(),
				(state, moment) -> () -> state.grantOf(request, moment));
		job.answer().whenComplete((grant, failure) -> {
			looks.set(false);
			if (failure == null) {
				grant.ifPresent((found) -> listener.granted(key, request, found));
			}
		});
		this.lanes.submit(key, job);
	}

	private record Id(String key, RequestId request) {
	}

}
