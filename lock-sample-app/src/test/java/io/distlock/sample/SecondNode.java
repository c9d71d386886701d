package io.distlock.sample;

import java.util.stream.Stream;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Another node of the shop in this JVM: it has Redis and the database in common with the
 * first.
 */
public final class SecondNode implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	public SecondNode(String... args) {
		this.context = new SpringApplicationBuilder(ShopApplication.class)
			.run(Stream.concat(Stream.of(args), Stream.of("--server.port=0", "--spring.application.name=other-shop"))
				.toArray(String[]::new));
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
