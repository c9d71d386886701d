package io.distlock.autoconfigure.store;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.distlock.autoconfigure.LockApplications;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

/** Two applications in one process. */
class MemoryStoreAnnotationTests extends AbstractStoreAnnotationTests {

	private static final InMemoryLockServer SERVER = new InMemoryLockServer();

	@Override
	ConfigurableApplicationContext start() {
		return LockApplications.start(AutoConfigurations.of(), InOneProcess.class, "distributed-lock.lease-time=15s",
				"distributed-lock.command-timeout=5s");
	}

	@Override
	void loseLocks() {
		SERVER.flush();
	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Shop.class, Gate.class })
	static class InOneProcess {

		@Bean
		LockStore lockStore() {
			return new InMemoryLockStore(SERVER);
		}

	}

}
