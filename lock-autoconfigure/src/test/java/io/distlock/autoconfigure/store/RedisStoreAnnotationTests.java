package io.distlock.autoconfigure.store;

import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.autoconfigure.LockApplications;
import io.distlock.test.redis.RedisServer;

class RedisStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private final RedisServer server = RedisServer.start();

	@Override
	void stopServer() {
		this.server.close();
	}

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(Application.class, "spring.data.redis.host=" + this.server.host(),
				"spring.data.redis.port=" + this.server.port(), "distributed-lock.store=redis",
				"distributed-lock.lease-time=15s", "distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() {
		this.server.command("FLUSHALL");
	}

}
