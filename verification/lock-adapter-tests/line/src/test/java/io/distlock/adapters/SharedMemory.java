package io.distlock.adapters;

import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Applications in one process that share their locks. */
@Configuration(proxyBeanMethods = false)
public class SharedMemory {

	private static final InMemoryLockServer SERVER = new InMemoryLockServer();

	@Bean
	LockStore lockStore() {
		return new InMemoryLockStore(SERVER);
	}

}
