package io.distlock.autoconfigure.store;

import io.distlock.test.redis.FreePort;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.autoconfigure.LockApplications;

class ZooKeeperStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final TestingServer server = newServer();

	private static TestingServer newServer() {
		try {
			return new TestingServer(FreePort.find("127.0.0.1"));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	void stopServer() throws Exception {
		this.server.close();
	}

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(AutoConfigurations.of(), Application.class, "distributed-lock.store=zookeeper",
				"distributed-lock.zookeeper.connect-string=" + this.server.getConnectString(),
				"distributed-lock.lease-time=15s", "distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() throws Exception {
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(this.server.getConnectString(),
				new RetryOneTime(100))) {
			client.start();
			for (String lock : client.getChildren().forPath("/distributed-lock/locks")) {
				client.delete().deletingChildrenIfNeeded().forPath("/distributed-lock/locks/" + lock);
			}
		}
	}

}
