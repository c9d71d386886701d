package io.distlock.autoconfigure.actuate;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.management.MBeanServer;
import javax.management.ObjectName;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import io.distlock.DistributedLock;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.output.DocPage;
import io.distlock.spring.event.LockAcquiredEvent;
import io.distlock.spring.event.LockBusyEvent;
import io.distlock.spring.event.LockEventPublisher;
import io.distlock.spring.event.LockReleasedEvent;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Three nodes with real ports on one Redis, as Prometheus and an operator see them: what
 * is scraped agrees with what was done, on any line of Spring Boot.
 */
@ExtendWith(OutputCaptureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("ci")
class NodesOverHttpTests {

	private static final int NODES = 3;

	private static final int THREADS = 2;

	private static final int CALLS = 20;

	private static final int ALL = NODES * THREADS * CALLS;

	private static final Pattern METER = Pattern.compile("\\| `(lock\\.[a-z.]+)` \\|");

	private final HttpClient http = HttpClient.newHttpClient();

	private final RedisServer server = RedisServer.start();

	private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	@BeforeAll
	void start() {
		for (int i = 1; i <= NODES; i++) {
			// One process, so only one node can have beans for management.
			this.nodes.add(new SpringApplicationBuilder(Shop.class).web(WebApplicationType.SERVLET)
				.registerShutdownHook(false)
				.properties("spring.config.name=nothing", "spring.main.banner-mode=off", "server.port=0",
						"spring.application.name=shop" + i, "spring.jmx.enabled=" + (i == 1),
						"management.endpoints.jmx.exposure.include=locks", "distributed-lock.store=redis",
						"spring.data.redis.host=" + this.server.host(), "spring.data.redis.port=" + this.server.port(),
						"management.endpoints.web.exposure.include=locks,prometheus,health",
						"management.endpoint.locks.access=unrestricted",
						// Each command is answered, also where the machine stands still.
						"distributed-lock.command-timeout=10s", "distributed-lock.locks.off.enabled=false")
				.run());
		}
	}

	@AfterAll
	void stop() {
		this.nodes.forEach(ConfigurableApplicationContext::close);
		this.server.close();
	}

	@Test
	void whatIsScrapedAgreesWithWhatWasDone() throws Exception {
		List<CompletableFuture<Void>> callers = new ArrayList<>();
		for (ConfigurableApplicationContext node : this.nodes) {
			Stock stock = node.getBean(Stock.class);
			for (int i = 0; i < THREADS; i++) {
				callers.add(CompletableFuture.runAsync(() -> {
					for (int call = 0; call < CALLS; call++) {
						stock.sell("book");
					}
				}, (body) -> new Thread(body).start()));
			}
		}
		callers.forEach(CompletableFuture::join);
		ConfigurableApplicationContext one = this.nodes.get(0);
		ConfigurableApplicationContext two = this.nodes.get(1);
		two.getBean(Stock.class).withoutLock();
		LockHandle held = hold(one, "import");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> two.getBean(Stock.class).tryImport());
		String scrape = scrape();
		assertThat(sum(scrape, "lock_acquire_seconds_count", "lock_name=\"stock\"")).isEqualTo(ALL);
		assertThat(sum(scrape, "lock_hold_seconds_count", "lock_name=\"stock\"")).isEqualTo(ALL);
		assertThat(sum(scrape, "lock_acquire_seconds_count", "lock_outcome=\"busy\"")).isOne();
		assertThat(sum(scrape, "lock_hold_active_seconds_count")).isOne();
		assertThat(sum(scrape, "lock_acquire_active_seconds_count")).isZero();
		assertThat(sum(scrape, "lock_not_taken_total", "lock_reason=\"switched-off\"")).isOne();
		assertThat(sum(scrape, "lock_store_commands_seconds_count", "lock_outcome=\"no-answer\"")).isZero();
		assertThat(sum(scrape, "lock_store_commands_seconds_count", "lock_command=\"acquire\"",
				"lock_outcome=\"answered\""))
			.isPositive();
		assertThat(scrape).contains(documented()).as("no keys").doesNotContain("book");
		release(held, "import");
		assertThat(sum(scrape(), "lock_lost_total", "lock_reason=\"forced\"")).isOne();
		assertThat(sum(scrape(), "lock_hold_active_seconds_count")).isZero();
		expectEvents();
	}

	/** An operator releases what the first node holds, at the second one. */
	private void release(LockHandle held, String key) throws Exception {
		HttpResponse<String> seen = send(this.nodes.get(2), "GET", "locks?key=" + key);
		assertThat(seen.body()).contains("\"held\":true", "\"" + held.fencingToken() + "\"", "shop1");
		assertThat(send(this.nodes.get(2), "GET", "locks?prefix=imp").body()).contains("\"fleet\":{", "import");
		assertThat(send(this.nodes.get(0), "GET", "locks").body()).contains("\"held\":[{", "#sku", "Stock.sell");
		assertThat(jmx("locks").toString()).contains("import", "#sku");
		assertThat(send(this.nodes.get(0), "GET", "health").statusCode()).isEqualTo(200);
		HttpResponse<String> released = send(this.nodes.get(1), "DELETE",
				"locks?key=" + key + "&reason=" + URLEncoder.encode("it hangs", StandardCharsets.UTF_8));
		assertThat(released.statusCode()).isEqualTo(200);
		assertThat(released.body()).contains("\"reason\":\"it hangs\"");
		Awaitility.await().until(() -> !held.isHeld());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(held::close)
			.withMessageContaining("was released by force");
	}

	/**
	 * Any request gets a clear answer and at most one log line. Problem details are off,
	 * as by default, and so is the message in Spring Boot's own answer.
	 */
	@Test
	void hostileRequestsAreAnsweredAndLoggedInOneLine(CapturedOutput output) throws Exception {
		ConfigurableApplicationContext node = this.nodes.get(0);
		String hostile = URLEncoder.encode("it\nhangs\u001b[31m\r\nFAKE", StandardCharsets.UTF_8);
		assertAnswer(node, "DELETE", "locks?key=free", 400, "{\"error\":\"The parameter 'reason' is missing or blank");
		assertAnswer(node, "DELETE", "locks?key=free&reason=%20", 400, "'reason' is missing or blank");
		assertAnswer(node, "DELETE", "locks/?reason=x", 400, "'key'");
		assertAnswer(node, "GET", "locks?prefix=&limit=0", 400, "'limit' must be between 1 and");
		assertAnswer(node, "GET", "locks?prefix=&cursor=" + hostile, 400,
				"'cursor' does not come from a previous page");
		for (int i = 0; i < 2; i++) {
			assertAnswer(node, "DELETE", "locks?key=free&reason=" + hostile, 200, "\"ended\":[]");
		}
		assertAnswer(node, "DELETE", "locks?key=a%0Ab%1B/c&reason=" + "r".repeat(5000), 200, "characters)");
		assertAnswer(node, "DELETE", "locks?key=" + "k".repeat(5000) + "&reason=x", 200, "characters)");
		List<String> lines = output.toString().lines().filter((line) -> line.contains("released it by force")).toList();
		assertThat(lines).hasSize(4).allSatisfy((line) -> assertThat(line).hasSizeLessThan(1000));
		assertThat(lines.get(0)).endsWith("Lock 'free' was not held when anonymous released it by force: "
				+ "it\\nhangs\\u001b[31m\\r\\nFAKE; 0 waiting");
		assertThat(output.toString().lines())
			.noneMatch((line) -> line.startsWith("FAKE") || line.contains("\u001b[31mF"));
	}

	private void assertAnswer(ConfigurableApplicationContext node, String method, String path, int status, String body)
			throws Exception {
		HttpResponse<String> answer = send(node, method, path);
		assertThat(answer.statusCode()).as(path).isEqualTo(status);
		assertThat(answer.body()).contains(body).doesNotContain("\u001b");
	}

	private void expectEvents() {
		List<Object> events = new ArrayList<>();
		this.nodes.forEach((node) -> events.addAll(node.getBean(Shop.class).events));
		assertThat(events.stream().filter(LockAcquiredEvent.class::isInstance)).hasSize(ALL + 1);
		assertThat(events.stream().filter(LockReleasedEvent.class::isInstance)).hasSize(ALL);
		assertThat(events.stream().filter(LockBusyEvent.class::isInstance)).hasSize(1);
	}

	private static LockHandle hold(ConfigurableApplicationContext node, String key) {
		LockRequest request = LockRequest.of(key).named("import").waitAtMost(Duration.ofSeconds(10));
		return node.getBean(LockTemplate.class).acquireAsync(request).toCompletableFuture().join();
	}

	private static Object jmx(String operation) throws Exception {
		MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
		Set<ObjectName> found = beans.queryNames(new ObjectName("org.springframework.boot:type=Endpoint,name=Locks,*"),
				null);
		assertThat(found).hasSize(1);
		String text = String.class.getName();
		return beans.invoke(found.iterator().next(), operation, new Object[] { "imp", null, null },
				new String[] { text, Integer.class.getName(), text });
	}

	/** The names of the page, as Prometheus writes them. */
	private static Set<String> documented() {
		Set<String> names = new TreeSet<>();
		Matcher matcher = METER.matcher(DocPage.of("configuration.md").text());
		while (matcher.find()) {
			names.add(matcher.group(1).replace('.', '_'));
		}
		assertThat(names).hasSizeGreaterThan(9);
		return names;
	}

	private String scrape() {
		return this.nodes.stream().map((node) -> {
			HttpResponse<String> answer = send(node, "GET", "prometheus");
			assertThat(answer.statusCode()).isEqualTo(200);
			return answer.body();
		}).collect(Collectors.joining("\n"));
	}

	private static double sum(String scrape, String meter, String... tags) {
		return scrape.lines()
			.filter((line) -> line.startsWith(meter + "{") || line.startsWith(meter + " "))
			.filter((line) -> List.of(tags).stream().allMatch(line::contains))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
			.sum();
	}

	private HttpResponse<String> send(ConfigurableApplicationContext node, String method, String path) {
		String port = node.getEnvironment().getProperty("local.server.port");
		try {
			return this.http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
				.method(method, HttpRequest.BodyPublishers.noBody())
				.build(), BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Shop {

		private final List<Object> events = new CopyOnWriteArrayList<>();

		@Bean
		Stock stock() {
			return new Stock();
		}

		@Bean
		LockEventPublisher allEvents(ApplicationEventPublisher publisher) {
			return new LockEventPublisher(publisher, true);
		}

		@EventListener({ LockAcquiredEvent.class, LockBusyEvent.class, LockReleasedEvent.class })
		void on(Object event) {
			this.events.add(event);
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", key = "#sku", waitTime = "30s")
		void sell(String sku) {
			assertThat(sku).isNotEmpty();
		}

		@DistributedLock(name = "off")
		void withoutLock() {
			assertThat(LockContext.current()).isEmpty();
		}

		@DistributedLock(name = "import", waitTime = "0s")
		void tryImport() {
			throw new IllegalStateException();
		}

	}

}
