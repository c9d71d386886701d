package io.distlock.adapters.store;

import io.distlock.databases.MariaDbServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.adapters.AdapterContract;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;

@Tag("ci")
@NeedsMariaDb
class MariaDbAdapterTests extends AdapterContract {

	private final MariaDbServer server = MariaDbServer.start();

	@Override
	protected ConfigurableApplicationContext start() {
		return start(Application.class, "distributed-lock.store=jdbc",
				"spring.datasource.url=" + this.server.url("mariadb"),
				"distributed-lock.jdbc.initialize-schema=always");
	}

	@Override
	protected void stopServer() {
		this.server.close();
	}

}
