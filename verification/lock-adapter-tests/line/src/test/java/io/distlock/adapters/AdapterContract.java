package io.distlock.adapters;

import io.distlock.LockTemplate;
import io.distlock.operations.LockOperations;
import net.javacrumbs.shedlock.core.LockProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.integration.support.locks.LockRegistry;

/** Two applications on one store, with the adapters that Spring Boot configures. */
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class AdapterContract {

	private ConfigurableApplicationContext first;

	private ConfigurableApplicationContext second;

	/**
	 * Starts one more application on the store.
	 * @return the running application
	 */
	protected abstract ConfigurableApplicationContext start();

	/**
	 * Stops what keeps the locks, if anything has to be stopped.
	 * @throws Exception if that fails
	 */
	protected void stopServer() throws Exception {
	}

	/**
	 * Starts an application.
	 * @param application what it is made of
	 * @param properties what it configures
	 * @return the running application
	 */
	protected static ConfigurableApplicationContext start(Class<?> application, String... properties) {
		return new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.registerShutdownHook(false)
			.properties("distributed-lock.lease-time=30s", "distributed-lock.command-timeout=10s",
					"spring.main.banner-mode=off", "spring.jmx.enabled=false",
					"spring.datasource.generate-unique-name=true")
			.properties(properties)
			.run();
	}

	@BeforeAll
	void startApplications() {
		this.first = start();
		this.second = start();
	}

	@AfterAll
	void closeApplications() throws Exception {
		this.second.close();
		this.first.close();
		stopServer();
	}

	@Nested
	@SuppressWarnings("rawtypes")
	class Registry extends LockRegistryContract {

		@Override
		protected LockRegistry one() {
			return AdapterContract.this.first.getBean(LockRegistry.class);
		}

		@Override
		protected LockRegistry two() {
			return AdapterContract.this.second.getBean(LockRegistry.class);
		}

		@Override
		protected LockOperations operations() {
			return AdapterContract.this.second.getBean(LockOperations.class);
		}

	}

	@Nested
	class Provider extends LockProviderContract {

		@Override
		protected LockProvider one() {
			return AdapterContract.this.first.getBean(LockProvider.class);
		}

		@Override
		protected LockTemplate two() {
			return AdapterContract.this.second.getBean(LockTemplate.class);
		}

	}

	/** An application without anything of its own. */
	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	protected static class Application {

	}

}
