package io.distlock.sample.zookeeper;

import java.util.Map;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets {@code --distributed-lock.store=zookeeper} work on a machine without ZooKeeper.
 * Comes last among the listeners of its event, when configuration files are read and
 * logging works.
 */
class EmbeddedZooKeeperListener implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private static final String ADDRESS = "distributed-lock.zookeeper.connect-string";

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		ConfigurableEnvironment environment = event.getEnvironment();
		if ("zookeeper".equalsIgnoreCase(environment.getProperty("distributed-lock.store"))
				&& !environment.containsProperty(ADDRESS)) {
			environment.getPropertySources()
				.addLast(new MapPropertySource("embeddedZooKeeper", Map.of(ADDRESS, EmbeddedZooKeeper.get())));
		}
	}

}
