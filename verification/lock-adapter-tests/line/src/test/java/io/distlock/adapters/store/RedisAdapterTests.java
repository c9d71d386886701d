package io.distlock.adapters.store;

import io.distlock.test.redis.RedisServer;
import io.distlock.adapters.AdapterContract;

import org.springframework.context.ConfigurableApplicationContext;

class RedisAdapterTests extends AdapterContract {

	private final RedisServer server = RedisServer.start();

	@Override
	protected ConfigurableApplicationContext start() {
		return start(Application.class, "distributed-lock.store=redis", "spring.data.redis.host=" + this.server.host(),
				"spring.data.redis.port=" + this.server.port());
	}

	@Override
	protected void stopServer() {
		this.server.close();
	}

}
