package io.distlock.autoconfigure.store;

import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.autoconfigure.LockApplications;
import io.distlock.databases.ZooKeeperServer;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class ZooKeeperStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final ZooKeeperServer server = ZooKeeperServer.start();

	@Override
	void stopServer() {
		this.server.close();
	}

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(AutoConfigurations.of(), Application.class, "distributed-lock.store=zookeeper",
				"distributed-lock.zookeeper.connect-string=" + this.server.address(), "distributed-lock.lease-time=15s",
				"distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() throws Exception {
		try (CuratorFramework client = CuratorFrameworkFactory.newClient(this.server.address(),
				new RetryOneTime(100))) {
			client.start();
			for (String folder : client.getChildren().forPath("/distributed-lock/locks")) {
				for (String lock : client.getChildren().forPath("/distributed-lock/locks/" + folder)) {
					client.delete()
						.deletingChildrenIfNeeded()
						.forPath("/distributed-lock/locks/" + folder + "/" + lock);
				}
			}
		}
	}

}
