package io.distlock.lab.fencing;

import java.util.Scanner;

import io.distlock.LockLostException;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** One of the two processes of the demo: publishes, and writes, on command. */
public final class FencingNode {

	static final String READY = "ready";

	static final String DONE = "done";

	static final String TOLD = "was told";

	private FencingNode() {
	}

	/**
	 * Runs the node until it has published.
	 * @param args Spring properties
	 */
	public static void run(String... args) {
		Scanner orders = new Scanner(System.in);
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Node.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties("logging.level.root=error")
			.run(args)) {
			PriceService prices = context.getBean(PriceService.class);
			String name = context.getEnvironment().getRequiredProperty("spring.application.name");
			System.out.println(READY);
			orders.nextLine();
			publish(prices, name, orders);
			System.out.println(DONE);
		}
	}

	private static void publish(PriceService prices, String name, Scanner orders) {
		try {
			prices.publish(name, orders::nextLine, 0);
		}
		catch (LockLostException ex) {
			System.out.println(TOLD + ": " + ex.getMessage());
		}
	}

	@EnableAutoConfiguration
	@Import(PriceService.class)
	static class Node {

	}

}
