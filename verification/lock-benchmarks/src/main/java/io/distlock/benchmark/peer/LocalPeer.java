package io.distlock.benchmark.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** A fair lock of the JDK: what is possible inside one process. */
final class LocalPeer implements Peer {

	private final Map<String, ReentrantLock> locks = new ConcurrentHashMap<>();

	@Override
	public Held acquire(String key) {
		ReentrantLock lock = this.locks.computeIfAbsent(key, (absent) -> new ReentrantLock(true));
		lock.lock();
		return lock::unlock;
	}

	@Override
	public void close() {
	}

}
