package io.distlock.tutorial;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.distlock.databases.NeedsServer;
import io.distlock.test.redis.FreePort;
import io.distlock.test.redis.RedisServer;
import io.distlock.tutorial.JMeterPlan.Sample;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The files for readers of the tutorials do what they say: nginx.conf and seckill.jmx of
 * the sample, with other ports, before two nodes of the packaged shop.
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@NeedsServer(commands = "nginx", debianPackages = "nginx-light")
class TutorialTests {

	private static final Duration LIMIT = Duration.ofMinutes(5);

	private static final Path SAMPLE = Path.of("..", "..", "lock-sample-app");

	private static final int BOOKS = 100;

	private static final int MANY = 5000;

	private static final int VOUCHERS = 20;

	@TempDir
	private static Path folder;

	private static final HttpClient client = HttpClient.newHttpClient();

	private static final List<AutoCloseable> fleet = new ArrayList<>();

	private static int firstNode;

	private static int port;

	@BeforeAll
	static void startTwoNodesBehindNginx() throws Exception {
		int[] ports = freePorts(3);
		firstNode = ports[0];
		port = ports[2];
		RedisServer redis = started(RedisServer.start());
		Command first = started(shop("shop-1", ports[0], redis.port()));
		Command second = started(shop("shop-2", ports[1], redis.port()));
		Command nginx = started(nginx(ports));
		awaitShop(first, ports[0]);
		awaitShop(second, ports[1]);
		awaitShop(nginx, port);
	}

	@AfterAll
	static void stop() throws Exception {
		Collections.reverse(fleet);
		for (AutoCloseable part : fleet) {
			part.close();
		}
	}

	@Test
	void nginxAsksOneNodeAfterTheOther() throws Exception {
		Set<String> names = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			names.add(get(port, "/stock/book").headers().firstValue("X-Shop-Node").orElse("none"));
		}
		assertThat(names).containsExactlyInAnyOrder("shop-1", "shop-2");
	}

	@Test
	void buyersAndUsersGetWhatThereIsAndNoMore() throws Exception {
		List<Sample> samples = run(Map.of());
		assertThat(samples).hasSize(64 * 10 + 200 * 2).allMatch(Sample::successful);
		assertThat(codes(samples, "Buy one")).isEqualTo(Map.of("200", (long) BOOKS, "409", 640L - BOOKS));
		assertThat(codes(samples, "Order the voucher"))
			.isEqualTo(Map.of("201", (long) VOUCHERS, "409", 400L - VOUCHERS));
		assertThat(left("book")).isZero();
	}

	/** The three runs of docs/tutorial.md. */
	@Test
	void fiveThousandRequestsSellSomeItemsTwiceOnlyWithSynchronizedOnTwoNodes() throws Exception {
		assertThat(leftAfterAllWereBought("mug", "synchronized", firstNode)).isZero();
		assertThat(leftAfterAllWereBought("cup", "synchronized", port)).as("sold a second time").isPositive();
		assertThat(leftAfterAllWereBought("pen", "stock", port)).isZero();
	}

	private static int leftAfterAllWereBought(String sku, String way, int port) throws Exception {
		List<Sample> samples = run(Map.of("sku", sku, "way", way, "buyers", "100", "loops", "50", "users", "0", "port",
				Integer.toString(port)));
		assertThat(codes(samples, "Buy one")).isEqualTo(Map.of("200", (long) MANY));
		int left = left(sku);
		System.out.printf(Locale.ROOT, "%s: %d sold, %d left%n", sku, MANY, left);
		return left;
	}

	private static List<Sample> run(Map<String, String> properties) throws IOException {
		Map<String, String> all = new HashMap<>(Map.of("sku", "book", "way", "stock", "buyers", "64", "loops", "10",
				"users", "200", "host", "127.0.0.1", "port", Integer.toString(port)));
		all.putAll(properties);
		List<Sample> samples = JMeterPlan
			.read(SAMPLE.resolve("src/tutorial/seckill.jmx"), folder.resolve("jmeter"), all)
			.run()
			.stream()
			.filter((sample) -> !sample.label().startsWith("Warm up"))
			.toList();
		report(samples);
		return samples;
	}

	private static <T extends AutoCloseable> T started(T part) {
		fleet.add(part);
		return part;
	}

	private static Command shop(String name, int port, int redis) throws IOException {
		try (var jars = Files.newDirectoryStream(SAMPLE.resolve("target"), "lock-sample-app-*-exec.jar")) {
			Path jar = jars.iterator().next();
			return Command.start(folder.resolve(name + ".log"),
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-jar",
							jar.toString(), "--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + redis,
							"--spring.datasource.url=jdbc:h2:" + folder.resolve("shop") + ";AUTO_SERVER=TRUE",
							"--server.port=" + port, "--spring.application.name=" + name,
							"--spring.data.redis.timeout=10s", "--distributed-lock.command-timeout=10s",
							"--distributed-lock.wait-time=30s", "--shop.stock.mug=" + MANY, "--shop.stock.pen=" + MANY,
							"--shop.stock.cup=" + MANY));
		}
	}

	/** With the file of the sample, but with free ports and folders of this test. */
	private static Command nginx(int[] ports) throws IOException {
		String configuration = Files.readString(SAMPLE.resolve("src/tutorial/nginx.conf"));
		for (String part : List.of("server 127.0.0.1:8081;", "server 127.0.0.1:8082;", "listen 127.0.0.1:8000;",
				"/tmp/shop-nginx")) {
			assertThat(configuration).contains(part);
		}
		Path file = folder.resolve("nginx.conf");
		Files.writeString(file,
				configuration.replace("127.0.0.1:8081;", "127.0.0.1:" + ports[0] + ";")
					.replace("127.0.0.1:8082;", "127.0.0.1:" + ports[1] + ";")
					.replace("127.0.0.1:8000;", "127.0.0.1:" + ports[2] + ";")
					.replace("/tmp/shop-nginx", folder.resolve("nginx").toString()));
		return Command.start(folder.resolve("nginx.log"),
				List.of("nginx", "-p", folder.toString(), "-c", file.toString(), "-e", "stderr"));
	}

	private static void awaitShop(Command command, int port) {
		await().atMost(LIMIT).ignoreExceptions().until(() -> {
			if (!command.isAlive()) {
				throw new AssertionError(command.output());
			}
			return get(port, "/stock/book").statusCode() == 200;
		});
	}

	private static int left(String sku) throws Exception {
		String body = get(port, "/stock/" + sku).body();
		return Integer.parseInt(body.replaceAll(".*\"left\":(\\d+).*", "$1"));
	}

	private static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
		return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
				HttpResponse.BodyHandlers.ofString());
	}

	private static Map<String, Long> codes(List<Sample> samples, String label) {
		return samples.stream()
			.filter((sample) -> sample.label().equals(label))
			.collect(Collectors.groupingBy(Sample::code, TreeMap::new, Collectors.counting()));
	}

	private static void report(List<Sample> samples) {
		for (String label : List.of("Buy one", "Order the voucher")) {
			long[] millis = samples.stream()
				.filter((sample) -> sample.label().equals(label))
				.mapToLong(Sample::millis)
				.sorted()
				.toArray();
			if (millis.length == 0) {
				continue;
			}
			System.out.printf(Locale.ROOT, "%s: %s; answered in %d ms (p50), %d ms (p99)%n", label,
					codes(samples, label), millis[millis.length / 2], millis[millis.length * 99 / 100]);
		}
	}

	private static int[] freePorts(int number) {
		return IntStream.generate(() -> FreePort.find("127.0.0.1")).distinct().limit(number).toArray();
	}

}
