package io.distlock.sample.redis;

import java.util.List;
import java.util.Map;

import io.distlock.test.redis.RedisServer;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Lets the shop run on a machine without Redis: points {@code spring.data.redis} at an
 * embedded server unless an address is configured. Comes last among the listeners of its
 * event, when configuration files are read and logging works.
 */
class EmbeddedRedisListener implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

	private static final String PREFIX = "spring.data.redis.";

	private static final List<String> ADDRESSES = List.of("url", "host", "port", "sentinel.master");

	private static final List<String> ADDRESS_LISTS = List.of("cluster.nodes", "masterreplica.nodes");

	@Override
	public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
		ConfigurableEnvironment environment = event.getEnvironment();
		if (!isConfigured(environment)) {
			RedisServer server = EmbeddedRedis.get();
			environment.getPropertySources()
				.addLast(new MapPropertySource("embeddedRedis",
						Map.of(PREFIX + "host", server.host(), PREFIX + "port", server.port())));
		}
	}

	private static boolean isConfigured(ConfigurableEnvironment environment) {
		Binder binder = Binder.get(environment);
		return ADDRESSES.stream().anyMatch((name) -> environment.containsProperty(PREFIX + name))
				|| ADDRESS_LISTS.stream()
					.anyMatch((name) -> binder.bind(PREFIX + name, Bindable.listOf(String.class)).isBound());
	}

}
