package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.OnBusy;
import io.distlock.autoconfigure.tracing.LockObservationAutoConfiguration;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.GrantKind;
import io.distlock.observe.RefusalReason;
import io.distlock.output.DocPage;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What Prometheus reads from three nodes under load, and that dashboard and alert rules
 * ask for nothing else.
 */
class LockScrapeTests {

	private static final Pattern METER = Pattern
		.compile("\\block_(?!store\\b|name\\b|outcome\\b|reason\\b|command\\b|clock\\b)[a-z_]+");

	private static final Pattern ROW = Pattern.compile("\\| `(lock\\.[a-z.]+)` \\|([^|]*)\\|");

	private static final Pattern OUTCOMES = Pattern.compile("outcome[!=]=?~?\"([a-z|-]+)\"");

	private static final Pattern TAGS = Pattern.compile("by \\(([a-z_, ]+)\\)|[{,]([a-z_]+)[!=]=?~?\\\\?\"");

	private final InMemoryLockServer server = new InMemoryLockServer();

	private boolean histograms = true;

	private void onNode(String node, Consumer<AssertableApplicationContext> body) {
		onNode(node, new String[0], body);
	}

	private void onNode(String node, String[] properties, Consumer<AssertableApplicationContext> body) {
		PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		registry.config().commonTags("node", node);
		if (this.histograms) {
			registry.config().meterFilter(histograms());
		}
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
		new ApplicationContextRunner().withConfiguration(LockApplications.withoutRedis())
			.withConfiguration(AutoConfigurations.of(LockObservationAutoConfiguration.class))
			.withBean(LockStore.class, () -> new InMemoryLockStore(this.server))
			.withBean(PrometheusMeterRegistry.class, () -> registry)
			.withBean(ObservationRegistry.class, () -> observations)
			.withBean(Stock.class)
			.withPropertyValues("spring.application.name=" + node)
			.withPropertyValues(properties)
			.run((context) -> {
				context.getBeanProvider(MeterBinder.class)
					.forEach((binder) -> binder.bindTo(context.getBean(PrometheusMeterRegistry.class)));
				body.accept(context);
			});
	}

	/** As management.metrics.distribution.percentiles-histogram makes one. */
	private static MeterFilter histograms() {
		return new MeterFilter() {
			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return id.getName().startsWith("lock.")
						? DistributionStatisticConfig.builder().percentilesHistogram(true).build().merge(config)
						: config;
			}
		};
	}

	private static String scrape(AssertableApplicationContext node) {
		return node.getBean(PrometheusMeterRegistry.class).scrape();
	}

	/** However the lock came. */
	private static double granted(String scrape, String meter, String... tags) {
		return Stream.of("free", "here", "waited", "push", "poll")
			.mapToDouble((how) -> sum(scrape, meter,
					Stream.concat(Stream.of("lock_outcome=\"" + how + "\""), Stream.of(tags)).toArray(String[]::new)))
			.sum();
	}

	private static double sum(String scrape, String meter, String... tags) {
		return scrape.lines()
			.filter((line) -> line.startsWith(meter + "{"))
			.filter((line) -> List.of(tags).stream().allMatch(line::contains))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	@Test
	void threeNodesUnderLoad() {
		onNode("one", (one) -> onNode("two", (two) -> onNode("three", (three) -> {
			List<AssertableApplicationContext> nodes = List.of(one, two, three);
			List<Thread> threads = new ArrayList<>();
			LockHandle first = one.getBean(LockTemplate.class).acquire(LockRequest.of("stock:book").named("stock"));
			for (AssertableApplicationContext node : nodes) {
				for (int i = 0; i < 2; i++) {
					Thread thread = new Thread(() -> {
						for (int call = 0; call < 50; call++) {
							node.getBean(Stock.class).sell("book");
						}
					});
					threads.add(thread);
					thread.start();
				}
			}
			// Or else one node may be done before the next one begins.
			Awaitility.await()
				.until(() -> nodes.stream()
					.allMatch((node) -> sum(scrape(node), "lock_acquire_active_seconds_gcount") == 2));
			first.close();
			threads.forEach(LockScrapeTests::join);
			LockRequest stock = LockRequest.of("stock:pen").named("stock");
			LockHandle held = one.getBean(LockTemplate.class).acquire(stock);
			assertThat(two.getBean(LockTemplate.class).tryAcquire(stock.waitAtMost(Duration.ZERO))).isEmpty();
			two.getBean(Stock.class).sellOnce("pen");
			String all = nodes.stream().map(LockScrapeTests::scrape).collect(Collectors.joining("\n"));
			held.close();
			assertThat(granted(all, "lock_acquire_seconds_count", "lock_name=\"stock\"")).isEqualTo(302);
			assertThat(sum(all, "lock_acquire_seconds_count", "node=\"two\"", "lock_outcome=\"busy\"")).isEqualTo(2);
			assertThat(sum(all, "lock_hold_seconds_count", "lock_name=\"stock\"")).isEqualTo(301);
			assertThat(sum(all, "lock_hold_active_seconds_gcount", "lock_name=\"stock\"")).isOne();
			assertThat(sum(all, "lock_hold_active_seconds_gcount", "node=\"one\"")).isOne();
			assertThat(sum(all, "lock_acquire_active_seconds_gcount")).isZero();
			assertThat(sum(all, "lock_acquire_seconds_count", "lock_outcome=\"here\"")).isPositive();
			assertThat(sum(all, "lock_acquire_seconds_count", "lock_outcome=\"push\"")).isPositive();
			assertThat(sum(all, "lock_store_commands_seconds_count", "lock_command=\"acquire\"",
					"lock_outcome=\"answered\""))
				.isPositive();
			assertThat(sum(all, "lock_not_taken_total", "lock_reason=\"busy\"", "lock_name=\"stock\"", "node=\"two\"",
					"lock_store=\"default\""))
				.isOne();
			assertThat(granted(all, "lock_acquire_seconds_bucket", "le=\"+Inf\"")).isEqualTo(302);
			assertThat(all).doesNotContain("stock:pen", "stock:book");
		})));
	}

	/** With a name for each key, one meter counts all that are too many. */
	@Test
	void namesAreBounded() {
		onNode("one", (node) -> {
			LockTemplate template = node.getBean(LockTemplate.class);
			for (int i = 0; i < 2 * LockNames.MOST; i++) {
				template.acquire(LockRequest.of("key-" + i).named("name-" + i)).close();
			}
			String scrape = scrape(node);
			assertThat(scrape.lines().filter((line) -> line.startsWith("lock_hold_seconds_count")))
				.hasSize(LockNames.MOST + 1);
			assertThat(sum(scrape, "lock_hold_seconds_count", "lock_name=\"other\"")).isEqualTo(LockNames.MOST);
		});
	}

	@Test
	void aLockIsTaggedWithItsStore() {
		String[] stores = { "distributed-lock.stores.audit.type=memory", "distributed-lock.locks.report.store=audit",
				"distributed-lock.locks.off.store=audit", "distributed-lock.locks.off.enabled=false" };
		onNode("one", stores, (node) -> {
			LockTemplate template = node.getBean(LockTemplate.class);
			template.acquire(LockRequest.of("stock:pen").named("stock")).close();
			node.getBean(Stock.class).off();
			try (LockHandle held = template.acquire(LockRequest.of("report:a").named("report"))) {
				String scrape = scrape(node);
				String report = "lock_store=\"audit\"";
				assertThat(held.isHeld()).isTrue();
				assertThat(sum(scrape, "lock_hold_active_seconds_gcount", report, "lock_name=\"report\"")).isOne();
				assertThat(sum(scrape, "lock_hold_active_seconds_gcount", "lock_store=\"default\"")).isZero();
				assertThat(sum(scrape, "lock_hold_seconds_count", "lock_store=\"default\"", "lock_name=\"stock\""))
					.isOne();
				assertThat(granted(scrape, "lock_acquire_seconds_count", report)).isOne();
				assertThat(sum(scrape, "lock_not_taken_total", report, "lock_reason=\"switched-off\"")).isOne();
				assertThat(sum(scrape, "lock_store_commands_seconds_count", report, "lock_command=\"acquire\""))
					.isOne();
				assertThat(sum(scrape, "lock_store_commands_seconds_count", "lock_store=\"default\"",
						"lock_command=\"acquire\""))
					.isOne();
			}
		});
	}

	@Test
	void theTableHasTheTagsOfTheMeters() {
		Map<String, Set<String>> documented = new TreeMap<>();
		Matcher row = ROW.matcher(DocPage.of("configuration.md").text());
		while (row.find()) {
			documented.put(row.group(1),
					Stream.of(row.group(2).split("[`, ]+"))
						.filter((tag) -> !tag.isEmpty())
						.collect(Collectors.toSet()));
		}
		assertThat(documented).hasSizeGreaterThan(9);
		onNode("one", (node) -> {
			everyMeter(node);
			Map<String, Set<String>> tags = new TreeMap<>();
			node.getBean(PrometheusMeterRegistry.class)
				.getMeters()
				.stream()
				.map(Meter::getId)
				.filter((id) -> id.getName().startsWith("lock."))
				.forEach((id) -> tags.computeIfAbsent(id.getName(), (name) -> new TreeSet<>())
					.addAll(id.getTags().stream().map(Tag::getKey).filter((tag) -> !tag.equals("node")).toList()));
			assertThat(documented).isEqualTo(tags);
		});
	}

	/** Prometheus itself adds the instance. */
	@Test
	void dashboardAndAlertsAskForTagsThatAreThere() {
		Set<String> wanted = new TreeSet<>();
		for (String file : List.of("grafana-dashboard.json", "prometheus-alerts.yaml")) {
			Matcher matcher = TAGS.matcher(DocPage.of("operations/" + file).text());
			while (matcher.find()) {
				String tags = (matcher.group(1) != null) ? matcher.group(1) : matcher.group(2);
				wanted.addAll(List.of(tags.split(", *")));
			}
		}
		assertThat(wanted).contains("lock_store", "lock_name", "lock_outcome", "lock_reason");
		wanted.remove("instance");
		onNode("one", (node) -> {
			everyMeter(node);
			String scrape = scrape(node);
			assertThat(wanted).allMatch((tag) -> scrape.contains("{" + tag + "=") || scrape.contains("," + tag + "="));
		});
	}

	@Test
	void alertsAskForOutcomesThatAreThere() {
		Matcher matcher = OUTCOMES.matcher(DocPage.of("operations/prometheus-alerts.yaml").text());
		Set<String> wanted = new TreeSet<>();
		while (matcher.find()) {
			wanted.addAll(List.of(matcher.group(1).split("\\|")));
		}
		assertThat(wanted).contains("error", "no-answer", "store-failure");
		onNode("one", (node) -> {
			Set<String> there = Stream.of(GrantKind.values(), RefusalReason.values())
				.flatMap(Stream::of)
				.map((constant) -> constant.name().toLowerCase(Locale.ROOT).replace('_', '-'))
				.collect(Collectors.toSet());
			Matcher commands = OUTCOMES.matcher(scrape(node));
			while (commands.find()) {
				there.add(commands.group(1));
			}
			assertThat(there).containsAll(wanted);
		});
	}

	@Test
	void dashboardAndAlertsAskForMetersThatAreThere() {
		Set<String> wanted = new TreeSet<>();
		for (String file : List.of("grafana-dashboard.json", "prometheus-alerts.yaml")) {
			Matcher matcher = METER.matcher(DocPage.of("operations/" + file).text());
			Set<String> names = new TreeSet<>();
			while (matcher.find()) {
				names.add(matcher.group());
			}
			assertThat(names).as(file).hasSizeGreaterThan(5);
			wanted.addAll(names);
		}
		// Histograms change the names of meters of what is under way.
		Set<String> scraped = new TreeSet<>();
		for (boolean wide : new boolean[] { true, false }) {
			this.histograms = wide;
			onNode("one", (node) -> {
				everyMeter(node);
				scrape(node).lines()
					.filter((line) -> line.startsWith("lock_"))
					.map((line) -> line.substring(0, line.indexOf('{')))
					.forEach(scraped::add);
			});
		}
		assertThat(scraped).containsAll(wanted);
	}

	/** One call that is skipped beside one that is not. */
	private static void everyMeter(AssertableApplicationContext node) {
		try (LockHandle held = node.getBean(LockTemplate.class).acquire("stock:book")) {
			CompletableFuture.runAsync(() -> node.getBean(Stock.class).sellOnce("book")).join();
			assertThat(held.isHeld()).isTrue();
		}
		node.getBean(Stock.class).sell("book");
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** What is sold. */
	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "30s")
		void sell(String sku) {
			assertThat(sku).isNotEmpty();
		}

		@DistributedLock(name = "off")
		void off() {
			assertThat(LockContext.current()).isEmpty();
		}

		@DistributedLock(name = "stock", key = "#sku", waitTime = "0s", onBusy = OnBusy.SKIP)
		void sellOnce(String sku) {
			assertThat(sku).isNotEmpty();
		}

	}

}
