package io.distlock.benchmark.stores;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.retry.ExponentialBackoffRetry;

import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.ReleaseMode;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.zookeeper.ZooKeeperLockStore;
import io.distlock.zookeeper.ZooKeeperLockStoreSettings;

/** Locks in ZooKeeper. */
final class ZooKeepers {

	private static final Duration LONG = Duration.ofMinutes(10);

	private ZooKeepers() {
	}

	private static CuratorFramework open(String address) {
		CuratorFramework client = CuratorFrameworkFactory.newClient(address, new ExponentialBackoffRetry(100, 5));
		client.start();
		return client;
	}

	static Peer ours(String address, ReleaseMode release) {
		CloseableLockTemplate template = LockTemplateBuilder
			.forStore(new ZooKeeperLockStore(CuratorFrameworkFactory.builder().connectString(address),
					ZooKeeperLockStoreSettings.builder().sessionTimeout(Duration.ofSeconds(30)).build()))
			.settings(LockSettings.builder().release(release).commandTimeout(Duration.ofSeconds(9)).build())
			.build();
		return new Peer() {

			@Override
			public Runnable acquire(String key) {
				return template.acquire(LockRequest.of(key).waitAtMost(LONG))::close;
			}

			@Override
			public void close() {
				template.close();
			}

		};
	}

	static Peer curator(String address) {
		CuratorFramework client = open(address);
		Map<String, InterProcessMutex> mutexes = new ConcurrentHashMap<>();
		return new Peer() {

			@Override
			public Runnable acquire(String key) throws Exception {
				InterProcessMutex mutex = mutexes.computeIfAbsent(key,
						(absent) -> new InterProcessMutex(client, "/mutex/" + absent));
				mutex.acquire();
				return () -> release(mutex);
			}

			@Override
			public void close() {
				client.close();
			}

		};
	}

	private static void release(InterProcessMutex mutex) {
		try {
			mutex.release();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static Peer springIntegration(String address) {
		CuratorFramework client = open(address);
		ZookeeperLockRegistry registry = new ZookeeperLockRegistry(client, "/registry");
		return new Peer() {

			@Override
			public Runnable acquire(String key) {
				Lock lock = registry.obtain(key);
				lock.lock();
				return lock::unlock;
			}

			@Override
			public void close() {
				registry.destroy();
				client.close();
			}

		};
	}

}
