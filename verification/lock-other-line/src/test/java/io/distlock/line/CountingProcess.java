package io.distlock.line;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * One of several JVMs that count up a number in a file: reads it, adds one, writes it
 * back, with nothing but the lock between them. Says {@code started}, {@code counted}
 * after each step and {@code done} at the end. With {@code count.stop-inside} it says
 * {@code inside} in its last step instead and stays there, holding the lock, until it is
 * killed.
 */
@EnableAutoConfiguration
class CountingProcess {

	private static final LockRequest LOCK = LockRequest.of("counter").waitAtMost(Duration.ofMinutes(2));

	public static void main(String[] args) throws IOException {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(CountingProcess.class)
			.bannerMode(Banner.Mode.OFF)
			.properties("logging.level.root=warn", "distributed-lock.store=redis")
			.web(WebApplicationType.NONE)
			.run(args)) {
			count(context.getBean(LockTemplate.class), context.getEnvironment());
		}
	}

	private static void count(LockTemplate locks, Environment environment) throws IOException {
		Path file = Path.of(environment.getRequiredProperty("count.file"));
		int steps = environment.getRequiredProperty("count.steps", Integer.class);
		boolean stopInside = environment.getProperty("count.stop-inside", Boolean.class, false);
		System.out.println("started");
		for (int i = 1; i <= steps; i++) {
			boolean stop = stopInside && i == steps;
			locks.run(LOCK, (lock) -> step(file, lock, stop));
		}
		System.out.println("done");
	}

	private static void step(Path file, LockHandle lock, boolean stop) throws IOException {
		String[] content = Files.readString(file).split(" ");
		if (lock.fencingToken() <= Long.parseLong(content[1])) {
			throw new IllegalStateException("Token " + lock.fencingToken() + " after " + content[1]);
		}
		if (stop) {
			System.out.println("inside");
			// Never answered: the parent writes nothing and kills this process.
			System.in.read();
		}
		Files.writeString(file, (Integer.parseInt(content[0]) + 1) + " " + lock.fencingToken());
		System.out.println("counted");
	}

}
