package io.distlock.sample.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.distlock.sample.stock.Shelf;
import io.distlock.sample.stock.StockService;

import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Sells the same number of items twice from two nodes of the shop: first with the bare
 * read-modify-write code, then with the same code behind the lock. The two nodes are two
 * application contexts in this process that have nothing in common but Redis.
 */
public final class Demo {

	private static final String SKU = "demo";

	private final Class<?> application;

	private final PrintStream out;

	/**
	 * Creates the demo.
	 * @param application what to start as a node
	 * @param out where the two result lines go
	 */
	public Demo(Class<?> application, PrintStream out) {
		this.application = application;
		this.out = out;
	}

	/**
	 * Runs the demo.
	 * @param args Spring properties for both nodes
	 * @return 0 if every item was sold exactly once under the lock, otherwise 1
	 */
	public int run(String... args) {
		try (ConfigurableApplicationContext first = startNode("shop-1", args);
				ConfigurableApplicationContext second = startNode("shop-2", args)) {
			return sellTwice(List.of(first, second)) ? 0 : 1;
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("The demo could not sell", ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return 1;
		}
	}

	private boolean sellTwice(List<ConfigurableApplicationContext> nodes)
			throws InterruptedException, ExecutionException {
		DemoSettings settings = DemoSettings.from(nodes.get(0).getEnvironment());
		Shelf shelf = nodes.get(0).getBean(Shelf.class);
		int items = settings.items();
		print("Two nodes of the shop share one Redis. %d threads sell %d items to %d customers; each reads how many "
				+ "are left, subtracts one and writes the number back.", settings.threads(), items,
				settings.customers());
		print("First as it stands, then the same code behind @DistributedLock.");

		shelf.put(SKU, items);
		Sale unlocked = Sale.hold(settings, nodes.stream().map(Demo::unlocked).toList());
		print("unlocked: sold=%d left=%d oversold=%d seconds=%.2f sales/s=%.0f", unlocked.sold(), shelf.left(SKU),
				unlocked.oversold(items), unlocked.seconds(), unlocked.perSecond());

		shelf.put(SKU, items);
		Sale locked = Sale.hold(settings, nodes.stream().map(Demo::locked).toList());
		int left = shelf.left(SKU);
		print("locked: sold=%d left=%d oversold=%d seconds=%.2f acquisitions/s=%.0f", locked.sold(), left,
				locked.oversold(items), locked.seconds(), locked.perSecond());
		return locked.sold() == items && left == 0;
	}

	private static Runnable unlocked(ConfigurableApplicationContext node) {
		Shelf shelf = node.getBean(Shelf.class);
		return () -> shelf.take(SKU, 1);
	}

	private static Runnable locked(ConfigurableApplicationContext node) {
		StockService service = node.getBean(StockService.class);
		return () -> service.deduct(SKU, 1);
	}

	private ConfigurableApplicationContext startNode(String name, String... args) {
		return new SpringApplicationBuilder(this.application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.properties("logging.level.root=warn")
			.run(Stream.concat(Stream.of(args), Stream.of("--spring.application.name=" + name)).toArray(String[]::new));
	}

	private void print(String format, Object... values) {
		this.out.println(String.format(Locale.ROOT, format, values));
	}

}
