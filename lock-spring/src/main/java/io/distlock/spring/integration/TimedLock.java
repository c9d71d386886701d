package io.distlock.spring.integration;

import java.time.Duration;

import io.distlock.LockRequest;
import io.distlock.LockTemplate;

import org.springframework.integration.support.locks.DistributedLock;

/** The lock for Spring Integration 7. Version 6 does not have its interface. */
final class TimedLock extends ThreadLock implements DistributedLock {

	TimedLock(LockRequest request, LockTemplate locks, HeldLocks held) {
		super(request, locks, held);
	}

	@Override
	public void lock(Duration ttl) {
		lock(request().leaseFor(ttl));
	}

	@Override
	public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
		return tryLock(request().leaseFor(ttl), waitTime);
	}

}
