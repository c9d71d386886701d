package io.distlock.autoconfigure.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.util.UUID;

import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.autoconfigure.LockApplications;
import org.junit.jupiter.api.Tag;

@Tag("ci")
class H2StoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(LockApplications.database(), Application.class,
				"spring.datasource.url=" + this.url, "distributed-lock.store=jdbc", "distributed-lock.lease-time=15s",
				"distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() throws Exception {
		try (Connection connection = DriverManager.getConnection(this.url, "sa", "")) {
			connection.createStatement().execute("DELETE FROM distributed_lock");
		}
	}

}
