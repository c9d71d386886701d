package io.distlock.reliability.failover;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.LockHandle;
import io.distlock.test.Standstill;

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

	/** Holders beside which another one began to believe, and since when. */
	private final Map<LockHandle, Long> joined = new ConcurrentHashMap<>();

	private final Set<LockHandle> notified = ConcurrentHashMap.newKeySet();

	private final Set<LockHandle> ended = ConcurrentHashMap.newKeySet();

	/** How long two believed at the same time, in nanoseconds. */
	final Queue<Long> overlaps = new ConcurrentLinkedQueue<>();

	/** How many of the joined holders were notified of the loss. */
	final AtomicInteger joinedNotified = new AtomicInteger();

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
		List<LockHandle> believers = handle.isHeld() ? believers() : List.of();
		if (!believers.isEmpty()) {
			this.doubleHolds.incrementAndGet();
		}
		believers.forEach((believer) -> this.joined.putIfAbsent(believer, now()));
		this.holders.add(handle);
	}

	/** Called before the release: from here on the holder does nothing any more. */
	synchronized void left(LockHandle handle) {
		this.holders.remove(handle);
		endOverlap(handle);
	}

	/** Called when the holder knows that it lost the lock, perhaps twice. */
	synchronized void notified(LockHandle handle) {
		if (this.joined.containsKey(handle) && this.notified.add(handle)) {
			this.joinedNotified.incrementAndGet();
		}
		endOverlap(handle);
	}

	private void endOverlap(LockHandle handle) {
		Long since = this.joined.get(handle);
		if (since != null && this.ended.add(handle)) {
			this.overlaps.add(now() - since);
		}
	}

	/** While this process stands still, nobody does anything under a lock. */
	private static long now() {
		return System.nanoTime() - Standstill.total().toNanos();
	}

	int joined() {
		return this.joined.size();
	}

	List<LockHandle> believers() {
		return this.holders.stream().filter(LockHandle::isHeld).toList();
	}

}
