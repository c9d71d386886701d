package io.distlock.adapters.store;

import io.distlock.test.redis.FreePort;
import org.apache.curator.test.TestingServer;
import io.distlock.adapters.AdapterContract;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;

@Tag("ci")
class ZooKeeperAdapterTests extends AdapterContract {

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
	protected ConfigurableApplicationContext start() {
		return start(Application.class, "distributed-lock.store=zookeeper",
				"distributed-lock.zookeeper.connect-string=" + this.server.getConnectString());
	}

	@Override
	protected void stopServer() throws Exception {
		this.server.close();
	}

}
