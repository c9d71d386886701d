package io.distlock.reliability.failover;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.LockHandle;

/**
 * What those who hold one lock believe, all in this process, so that one clock tells who
 * believed it when.
 */
final class Ledger {

	final AtomicInteger grants = new AtomicInteger();

	/** Somebody began to believe while somebody else still did. */
	final AtomicInteger doubleHolds = new AtomicInteger();

	/** A token that is not higher than one that was seen before the request began. */
	final AtomicInteger tokenErrors = new AtomicInteger();

	final AtomicInteger lossesTold = new AtomicInteger();

	private final AtomicLong highest = new AtomicLong();

	private final Set<Long> tokens = ConcurrentHashMap.newKeySet();

	private final List<LockHandle> holders = new CopyOnWriteArrayList<>();

	/** Called before a request is made; its token must be higher. */
	long highestToken() {
		return this.highest.get();
	}

	synchronized void entered(LockHandle handle, long before) {
		this.grants.incrementAndGet();
		if (handle.fencingToken() <= before || !this.tokens.add(handle.fencingToken())) {
			this.tokenErrors.incrementAndGet();
		}
		this.highest.accumulateAndGet(handle.fencingToken(), Math::max);
		if (handle.isHeld() && this.holders.stream().anyMatch(LockHandle::isHeld)) {
			this.doubleHolds.incrementAndGet();
		}
		this.holders.add(handle);
	}

	/** Called before the release: from here on the holder does nothing any more. */
	synchronized void left(LockHandle handle) {
		this.holders.remove(handle);
	}

	List<LockHandle> believers() {
		return this.holders.stream().filter(LockHandle::isHeld).toList();
	}

}
