package io.distlock.adapters.store;

import java.util.UUID;

import io.distlock.adapters.AdapterContract;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;

@Tag("ci")
class H2AdapterTests extends AdapterContract {

	private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";

	@Override
	protected ConfigurableApplicationContext start() {
		return start(Application.class, "distributed-lock.store=jdbc", "spring.datasource.url=" + this.url);
	}

}
