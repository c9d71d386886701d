package io.distlock.sample;

import java.util.stream.Stream;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Another node of the shop in this JVM: it has Redis and the database in common with the
 * first.
 */
public final class SecondNode implements AutoCloseable {

	/** So that a machine that stalls refuses no customer. */
	public static final String PATIENT_STOCK = "spring.data.redis.timeout=10s";

	/** The same for the lock. */
	public static final String PATIENT_LOCK = "distributed-lock.command-timeout=10s";

	private final ConfigurableApplicationContext context;

	public SecondNode(String... args) {
		Stream<String> own = Stream.of("--server.port=0", "--spring.application.name=other-shop", "--" + PATIENT_STOCK,
				"--" + PATIENT_LOCK);
		this.context = new SpringApplicationBuilder(ShopApplication.class)
			.run(Stream.concat(Stream.of(args), own).toArray(String[]::new));
	}

	public int port() {
		return this.context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
