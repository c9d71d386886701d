package io.distlock.benchmark.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.redisson.api.RLock;
import org.redisson.api.RPermitExpirableSemaphore;
import org.redisson.api.RedissonClient;

/**
 * Redisson's read/write lock, and its semaphore whose permits have a lease. (Those of its
 * other semaphore do not come back from a process that died.)
 */
final class RedissonTogether implements Together {

	private static final long LEASE_SECONDS = 30;

	private final Map<String, RPermitExpirableSemaphore> semaphores = new ConcurrentHashMap<>();

	private final RedissonClient client;

	RedissonTogether(RedissonClient client) {
		this.client = client;
	}

	@Override
	public Peer.Held read(String key) {
		return locked(this.client.getReadWriteLock(key).readLock());
	}

	@Override
	public Peer.Held write(String key) {
		return locked(this.client.getReadWriteLock(key).writeLock());
	}

	private static Peer.Held locked(RLock lock) {
		lock.lock();
		return lock::unlock;
	}

	@Override
	public Peer.Held permit(String key, int permits) {
		RPermitExpirableSemaphore semaphore = this.semaphores.computeIfAbsent(key, (name) -> {
			RPermitExpirableSemaphore created = this.client.getPermitExpirableSemaphore(name);
			created.trySetPermits(permits);
			return created;
		});
		try {
			String permit = semaphore.acquire(LEASE_SECONDS, TimeUnit.SECONDS);
			return () -> semaphore.release(permit);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
