package io.distlock.autoconfigure.actuate;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The endpoint {@code locks} over HTTP. It shows and releases exactly the lock whose key
 * is named, also one that servers change within a path, and has an answer to anything.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("ci")
class LocksOverHttpTests {

	private static final List<String> ODD = List.of("a//b", "a/b", "/lead", "lead", "end/", "x;y", "x", "a%2Fb", "a\\b",
			"line\nbreak", "100%", "{id}", "what?", "what", "tag#1", "\"quoted\"", "'q'", "two  blanks", " blank ",
			"\u65e5\u672c", "a,b", "a", "b", "a+b", "a&key=c", "../up", ".", "http://shop/42;v=1?q=%20#top");

	private final HttpClient http = HttpClient.newHttpClient();

	private final Map<Stack, ConfigurableApplicationContext> contexts = new EnumMap<>(Stack.class);

	@BeforeAll
	void start() {
		for (Stack stack : Stack.values()) {
			this.contexts.put(stack,
					new SpringApplicationBuilder(Application.class).web(stack.type)
						.registerShutdownHook(false)
						.properties("spring.config.name=nothing", "spring.main.banner-mode=off", "server.port=0",
								"spring.jmx.enabled=false", "distributed-lock.store=memory",
								"management.endpoints.web.exposure.include=locks")
						.properties(stack.properties)
						.run());
		}
	}

	@AfterAll
	void stop() {
		this.contexts.values().forEach(ConfigurableApplicationContext::close);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READ_ONLY")
	void deleteWithAKeyThenReleasesThatLockAndNoOther(Stack stack) {
		Map<String, LockHandle> handles = hold(stack);
		List<String> left = new ArrayList<>(ODD);
		for (String key : ODD) {
			String query = "locks?key=" + encoded(key);
			assertThat(send(stack, "GET", query).body()).as(key)
				.contains("\"held\":true", "\"" + handles.get(key).fencingToken() + "\"");
			HttpResponse<String> answer = send(stack, "DELETE", query + "&reason=test");
			assertThat(answer.statusCode()).as(key).isEqualTo(200);
			assertThat(answer.body()).contains("\"by\":\"anonymous\"", "\"reason\":\"test\"",
					"\"" + handles.get(key).fencingToken() + "\"");
			Awaitility.await(key).until(() -> !handles.get(key).isHeld());
			left.remove(key);
			assertThat(handles).allSatisfy((other, handle) -> assertThat(handle.isHeld()).as("%s after %s", other, key)
				.isEqualTo(left.contains(other)));
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READ_ONLY")
	void deleteOfAPathThenRefusedUnlessTheKeyIsTheSame(Stack stack) {
		Map<String, LockHandle> handles = hold(stack);
		for (String path : List.of("a//b", "x;y", "/lead", "end/", "x", "a/b", "a;q/b")) {
			for (String method : List.of("GET", "DELETE")) {
				HttpResponse<String> answer = send(stack, method, "locks/" + path + "?reason=test");
				assertThat(answer.statusCode()).as(method + " " + path).isEqualTo(400);
				assertThat(answer.body()).contains("?key=");
				HttpResponse<String> other = send(stack, method, "locks/" + path + "?reason=test&key=lead%2F");
				assertThat(other.statusCode()).as(method + " " + path).isEqualTo(400);
				assertThat(other.body()).contains("name different locks");
			}
		}
		for (String query : List.of("", "?key=", "?key=%20", "?key=a&key=b", "?key=a&reason=%20", "?key=a")) {
			assertThat(send(stack, "DELETE", "locks" + query).statusCode()).as(query).isEqualTo(400);
			String reason = query.isEmpty() ? "?reason=test" : query + "&reason=test";
			if (!query.startsWith("?key=a") || query.contains("key=b")) {
				assertThat(send(stack, "DELETE", "locks" + reason).statusCode()).as(reason).isEqualTo(400);
			}
		}
		assertThat(handles).allSatisfy((key, handle) -> assertThat(handle.isHeld()).as(key).isTrue());
		assertThat(send(stack, "GET", "locks/a/b?key=a%2Fb").body()).contains("\"held\":true");
		assertThat(send(stack, "DELETE", "locks/a/b?key=a%2Fb&reason=test").statusCode()).isEqualTo(200);
		Awaitility.await().until(() -> !handles.get("a/b").isHeld());
		handles.remove("a/b");
		assertThat(handles).allSatisfy((key, handle) -> assertThat(handle.isHeld()).as(key).isTrue());
		release(stack, handles);
	}

	@ParameterizedTest
	@EnumSource(names = "READ_ONLY")
	void deleteWhenTheEndpointOnlyShowsThenTheAnswerNamesTheProperty(Stack stack) {
		Map<String, LockHandle> handles = hold(stack);
		for (String path : List.of("?key=a", "/a?key=a", "/a")) {
			HttpResponse<String> answer = send(stack, "DELETE",
					"locks" + path + (path.contains("?") ? "&" : "?") + "reason=test");
			assertThat(answer.statusCode()).as(path).isEqualTo(403);
			assertThat(answer.body()).contains("management.endpoint.locks.access=unrestricted",
					"One instance with it is enough");
		}
		assertThat(handles).allSatisfy((key, handle) -> assertThat(handle.isHeld()).as(key).isTrue());
		release(stack, handles);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "READ_ONLY")
	void getWhenPathOrParametersAreHostileThenRefusedOrFree(Stack stack) {
		for (String path : List.of("a%2Fb", "a%00b", "%0A", "..%2f..", "a;b=c", "x".repeat(4000), "%F0%9F%98%80",
				"a%25b")) {
			for (String named : List.of("locks/" + path, "locks?key=" + path)) {
				HttpResponse<String> answer = send(stack, "GET", named);
				assertThat(answer.statusCode()).as(named).isIn(200, 400, 404);
				assertThat(answer.body()).as(named).doesNotContain("Exception", "\"held\":true", "\u0000");
			}
		}
		HttpResponse<String> none = send(stack, "GET", "locks?prefix=&limit=0");
		assertThat(none.statusCode()).isEqualTo(400);
		assertThat(none.body()).startsWith("{\"error\":\"").contains("limit");
		// With WebFlux on Tomcat, Boot's answer to this one is lost at times.
		if (stack != Stack.WEB_FLUX) {
			assertThat(send(stack, "GET", "locks?prefix=&limit=x").statusCode()).isEqualTo(400);
		}
	}

	private void release(Stack stack, Map<String, LockHandle> handles) {
		handles.values().forEach(LockHandle::close);
		assertThat(send(stack, "GET", "locks").body()).contains("\"held\":[]");
	}

	private Map<String, LockHandle> hold(Stack stack) {
		LockTemplate template = this.contexts.get(stack).getBean(LockTemplate.class);
		Map<String, LockHandle> handles = new LinkedHashMap<>();
		for (String key : ODD) {
			handles.put(key, template.acquireAsync(LockRequest.of(key)).toCompletableFuture().join());
		}
		return handles;
	}

	private static String encoded(String key) {
		return URLEncoder.encode(key, StandardCharsets.UTF_8);
	}

	private HttpResponse<String> send(Stack stack, String method, String path) {
		ConfigurableApplicationContext context = this.contexts.get(stack);
		String port = context.getEnvironment()
			.getProperty("local.management.port", context.getEnvironment().getRequiredProperty("local.server.port"));
		try {
			return this.http.send(HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/actuator/" + path))
				.method(method, HttpRequest.BodyPublishers.noBody())
				.build(), BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	enum Stack {

		MVC(WebApplicationType.SERVLET, "management.endpoint.locks.access=unrestricted"),

		MVC_MANAGEMENT_PORT(WebApplicationType.SERVLET, "management.endpoint.locks.access=unrestricted",
				"management.server.port=0"),

		WEB_FLUX(WebApplicationType.REACTIVE, "management.endpoint.locks.access=unrestricted"),

		READ_ONLY(WebApplicationType.SERVLET);

		private final WebApplicationType type;

		private final String[] properties;

		Stack(WebApplicationType type, String... properties) {
			this.type = type;
			this.properties = properties;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
