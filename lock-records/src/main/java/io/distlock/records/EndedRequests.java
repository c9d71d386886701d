package io.distlock.records;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last request of each instance that this process has ended. Only this
 * process can send a late copy of a command, so other processes need not know. The memory
 * is bounded, because a place remembers ended requests for a while longer.
 */
final class EndedRequests {

	private static final int MOST = 4096;

	// Not synchronized, because virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	private final Map<Instance, Ended> ended = new LinkedHashMap<>(16, 0.75f, true) {

		private static final long serialVersionUID = 1L;

		@Override
		protected boolean removeEldestEntry(Map.Entry<Instance, Ended> eldest) {
			return size() > MOST;
		}

	};

	void put(String key, RequestId request, FinishResult result) {
		this.lock.lock();
		try {
			this.ended.merge(new Instance(key, request.instance()), new Ended(request.number(), result),
					(known, added) -> (known.number() >= added.number()) ? known : added);
		}
		finally {
			this.lock.unlock();
		}
	}

	boolean contains(String key, RequestId request) {
		Ended last = last(key, request);
		return last != null && last.number() >= request.number();
	}

	private @Nullable Ended last(String key, RequestId request) {
		this.lock.lock();
		try {
			return this.ended.get(new Instance(key, request.instance()));
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns the answer to a repeated finish, if its request was ended before. */
	Optional<FinishResult> answer(String key, RequestId request) {
		Ended last = last(key, request);
		if (last == null || last.number() < request.number()) {
			return Optional.empty();
		}
		return Optional.of((last.number() == request.number()) ? last.result() : FinishResult.UNKNOWN);
	}

	private record Instance(String key, String name) {
	}

	private record Ended(long number, FinishResult result) {
	}

}
