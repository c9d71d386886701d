package io.distlock.adapters.store;

import io.distlock.databases.ZooKeeperServer;
import io.distlock.adapters.AdapterContract;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;

@Tag("ci")
class ZooKeeperAdapterTests extends AdapterContract {

	private final ZooKeeperServer server = ZooKeeperServer.start();

	@Override
	protected ConfigurableApplicationContext start() {
		return start(Application.class, "distributed-lock.store=zookeeper",
				"distributed-lock.zookeeper.connect-string=" + this.server.address());
	}

	@Override
	protected void stopServer() {
		this.server.close();
	}

}
