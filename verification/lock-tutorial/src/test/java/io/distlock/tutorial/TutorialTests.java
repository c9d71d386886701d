package io.distlock.tutorial;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

	private static final int VOUCHERS = 20;

	@TempDir
	private Path folder;

	private final HttpClient client = HttpClient.newHttpClient();

	@Test
	void twoNodesBehindNginxSellWhatThereIsAndNoMore() throws Exception {
		int[] ports = freePorts(3);
		try (RedisServer redis = RedisServer.start();
				Command first = shop("shop-1", ports[0], redis.port());
				Command second = shop("shop-2", ports[1], redis.port());
				Command nginx = nginx(ports)) {
			awaitShop(first, ports[0]);
			awaitShop(second, ports[1]);
			awaitShop(nginx, ports[2]);
			assertThat(nodesThatAnswer(ports[2])).as("nginx asks one after the other").hasSize(2);
			List<Sample> samples = JMeterPlan
				.read(SAMPLE.resolve("src/tutorial/seckill.jmx"), this.folder.resolve("jmeter"),
						Map.of("host", "127.0.0.1", "port", Integer.toString(ports[2])))
				.run()
				.stream()
				.filter((sample) -> !sample.label().startsWith("Warm up"))
				.toList();
			report(samples);
			assertThat(samples).hasSize(64 * 10 + 200 * 2).allMatch(Sample::successful);
			assertThat(codes(samples, "Buy one")).isEqualTo(Map.of("200", (long) BOOKS, "409", 640L - BOOKS));
			assertThat(codes(samples, "Order the voucher"))
				.isEqualTo(Map.of("201", (long) VOUCHERS, "409", 400L - VOUCHERS));
			assertThat(get(ports[2], "/stock/book").body()).contains("\"left\":0");
		}
	}

	private Command shop(String name, int port, int redis) throws IOException {
		try (var jars = Files.newDirectoryStream(SAMPLE.resolve("target"), "lock-sample-app-*-exec.jar")) {
			Path jar = jars.iterator().next();
			return Command.start(this.folder.resolve(name + ".log"),
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-jar",
							jar.toString(), "--spring.data.redis.host=127.0.0.1", "--spring.data.redis.port=" + redis,
							"--spring.datasource.url=jdbc:h2:" + this.folder.resolve("shop") + ";AUTO_SERVER=TRUE",
							"--server.port=" + port, "--spring.application.name=" + name,
							"--spring.data.redis.timeout=10s", "--distributed-lock.command-timeout=10s"));
		}
	}

	/** With the file of the sample, but with free ports and folders of this test. */
	private Command nginx(int[] ports) throws IOException {
		String configuration = Files.readString(SAMPLE.resolve("src/tutorial/nginx.conf"));
		for (String part : List.of("server 127.0.0.1:8081;", "server 127.0.0.1:8082;", "listen 127.0.0.1:8000;",
				"/tmp/shop-nginx")) {
			assertThat(configuration).contains(part);
		}
		Path file = this.folder.resolve("nginx.conf");
		Files.writeString(file,
				configuration.replace("127.0.0.1:8081;", "127.0.0.1:" + ports[0] + ";")
					.replace("127.0.0.1:8082;", "127.0.0.1:" + ports[1] + ";")
					.replace("127.0.0.1:8000;", "127.0.0.1:" + ports[2] + ";")
					.replace("/tmp/shop-nginx", this.folder.resolve("nginx").toString()));
		return Command.start(this.folder.resolve("nginx.log"),
				List.of("nginx", "-p", this.folder.toString(), "-c", file.toString(), "-e", "stderr"));
	}

	private void awaitShop(Command command, int port) {
		await().atMost(LIMIT).ignoreExceptions().until(() -> {
			if (!command.isAlive()) {
				throw new AssertionError(command.output());
			}
			return get(port, "/stock/book").statusCode() == 200;
		});
	}

	private Set<String> nodesThatAnswer(int port) throws Exception {
		Set<String> names = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			HttpResponse<String> answer = get(port, "/stock/book");
			names.add(answer.headers().firstValue("X-Shop-Node").orElse("none"));
		}
		return names;
	}

	private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
		return this.client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
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
			System.out.printf(Locale.ROOT, "%s: %s; answered in %d ms (p50), %d ms (p99)%n", label,
					codes(samples, label), millis[millis.length / 2], millis[millis.length * 99 / 100]);
		}
	}

	private static int[] freePorts(int number) {
		return IntStream.generate(() -> FreePort.find("127.0.0.1")).distinct().limit(number).toArray();
	}

}
