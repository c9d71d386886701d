package io.distlock.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.LockTemplate;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;

/** The same Spring Boot application twice, on a real Redis. */
public final class Fleet implements AutoCloseable {

	private final RedisServer server = RedisServer.start();

	private final ConfigurableApplicationContext one;

	private final ConfigurableApplicationContext two;

	/**
	 * Starts server and applications, which have patience with a machine under load.
	 * @param configuration the application
	 * @param properties what it configures
	 */
	public Fleet(Class<?> configuration, String... properties) {
		String[] all = Stream
			.concat(Stream.of("spring.data.redis.host=" + this.server.host(),
					"spring.data.redis.port=" + this.server.port(), "distributed-lock.command-timeout=10s"),
					Stream.of(properties))
			.toArray(String[]::new);
		this.one = LockApplications.start(configuration, all);
		this.two = LockApplications.start(configuration, all);
	}

	/**
	 * A bean of the first application.
	 * @param type of the bean
	 * @return the bean
	 */
	public <T> T get(Class<T> type) {
		return this.one.getBean(type);
	}

	/** The bean of both applications. */
	<T> List<T> both(Class<T> type) {
		return List.of(this.one.getBean(type), this.two.getBean(type));
	}

	/**
	 * The second application, which sees what the first one holds.
	 * @return its template
	 */
	public LockTemplate other() {
		return this.two.getBean(LockTemplate.class);
	}

	/**
	 * Whether the second application finds the lock busy right now.
	 * @param key the lock
	 * @return whether it is held
	 */
	public boolean isBusy(String key) {
		return TestThreads.isBusy(other(), key);
	}

	@Override
	public void close() {
		this.two.close();
		this.one.close();
		this.server.close();
	}

}
