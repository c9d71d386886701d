package io.distlock.adapters.store;

import io.distlock.databases.PostgresServer;
import io.distlock.adapters.AdapterContract;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;

@Tag("ci")
class PostgresAdapterTests extends AdapterContract {

	private final PostgresServer server = PostgresServer.start();

	@Override
	protected ConfigurableApplicationContext start() {
		return start(Application.class, "distributed-lock.store=jdbc", "spring.datasource.url=" + this.server.url(),
				"distributed-lock.jdbc.initialize-schema=always");
	}

	@Override
	protected void stopServer() {
		this.server.close();
	}

}
