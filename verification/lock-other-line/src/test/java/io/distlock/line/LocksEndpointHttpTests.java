package io.distlock.line;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** The endpoint {@code locks} over HTTP, with what nobody expects. */
class LocksEndpointHttpTests {

	private final HttpClient http = HttpClient.newHttpClient();

	@ParameterizedTest
	@CsvSource({ "a/b,a/b,200", "a%20b,a b,200", "a:b,a:b,200", "%C3%BC,\u00fc,200", "'a,b','a,b',200" })
	void getThenShowsTheLockOfTheKey(String path, String key, int status) throws Exception {
		try (ConfigurableApplicationContext context = start();
				LockHandle handle = context.getBean(LockTemplate.class).acquire(key)) {
			HttpResponse<String> answer = send(context, "GET", "locks?key=" + path);
			assertThat(answer.statusCode()).isEqualTo(status);
			assertThat(answer.body()).contains("\"held\":true", "\"" + handle.fencingToken() + "\"",
					Thread.currentThread().getName());
			assertThat(send(context, "GET", "locks?prefix=" + path).body()).contains("\"fleet\":{", "\"held\":[{");
		}
	}

	@Test
	void getWhenPathOrKeyAreHostileThenRefusedOrFree() throws Exception {
		try (ConfigurableApplicationContext context = start()) {
			for (String path : new String[] { "a%2Fb", "a%00b", "%0A", "..%2f..", "a;b=c", "x".repeat(4000),
					"%F0%9F%98%80", "a%25b" }) {
				for (String named : new String[] { "locks/" + path, "locks?key=" + path }) {
					HttpResponse<String> answer = send(context, "GET", named);
					assertThat(answer.statusCode()).as(named).isIn(200, 400, 404);
					assertThat(answer.body()).as(named).doesNotContain("Exception", "\"held\":true", "\u0000");
				}
			}
			assertThat(send(context, "GET", "locks?prefix=&limit=0").statusCode()).isEqualTo(400);
			assertThat(send(context, "GET", "locks?prefix=&limit=x").statusCode()).isEqualTo(400);
		}
	}

	@Test
	void deleteThenOnlyWhereItIsAllowedAndWithAReason() throws Exception {
		try (ConfigurableApplicationContext context = start();
				LockHandle handle = context.getBean(LockTemplate.class).acquire("import")) {
			HttpResponse<String> refusal = send(context, "DELETE", "locks?key=import&reason=hangs");
			assertThat(refusal.statusCode()).isEqualTo(403);
			assertThat(refusal.body()).contains("management.endpoint.locks.access=unrestricted");
			assertThat(handle.isHeld()).isTrue();
		}
		try (ConfigurableApplicationContext context = start("management.endpoint.locks.access=unrestricted")) {
			LockHandle handle = context.getBean(LockTemplate.class)
				.acquireAsync(LockRequest.of("import"))
				.toCompletableFuture()
				.join();
			for (String path : new String[] { "locks?key=import", "locks?key=import&reason=%20" }) {
				HttpResponse<String> refusal = send(context, "DELETE", path);
				assertThat(refusal.statusCode()).isEqualTo(400);
				assertThat(refusal.body()).contains("The parameter 'reason' is missing or blank");
			}
			assertThat(handle.isHeld()).isTrue();
			HttpResponse<String> answer = send(context, "DELETE", "locks?key=import&reason=hangs");
			assertThat(answer.statusCode()).isEqualTo(200);
			assertThat(answer.body()).contains("\"by\":\"anonymous\"", "\"reason\":\"hangs\"",
					"\"" + handle.fencingToken() + "\"");
			Awaitility.await().until(() -> !handle.isHeld());
		}
	}

	@Test
	void getOnASeparatePortThenRefusedWithTheReason() throws Exception {
		try (ConfigurableApplicationContext context = start("management.server.port=0");
				LockHandle handle = context.getBean(LockTemplate.class).acquire("import")) {
			assertThat(context.getEnvironment().getProperty("local.management.port"))
				.isNotEqualTo(context.getEnvironment().getProperty("local.server.port"));
			assertThat(send(context, "GET", "locks?key=import").body()).contains("\"" + handle.fencingToken() + "\"");
			HttpResponse<String> refusal = send(context, "GET", "locks?prefix=&limit=0");
			assertThat(refusal.statusCode()).isEqualTo(400);
			assertThat(refusal.body()).startsWith("{\"error\":\"").contains("limit");
		}
	}

	private HttpResponse<String> send(ConfigurableApplicationContext context, String method, String path)
			throws Exception {
		String port = context.getEnvironment()
			.getProperty("local.management.port", context.getEnvironment().getProperty("local.server.port"));
		return this.http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
			.method(method, HttpRequest.BodyPublishers.noBody())
			.build(), BodyHandlers.ofString());
	}

	private static ConfigurableApplicationContext start(String... properties) {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.SERVLET)
			.properties("spring.config.name=nothing", "server.port=0", "distributed-lock.store=memory",
					"management.endpoints.web.exposure.include=locks", "spring.main.banner-mode=off")
			.properties(properties)
			.run();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
