package io.distlock.lab.web;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

import com.jayway.jsonpath.JsonPath;
import io.distlock.lab.strategy.Staircase;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class LabWebTests {

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private final HttpClient client = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@Test
	void strategiesHaveTextsAndSources() {
		String strategies = get("/api/strategies");
		assertThat(JsonPath.<List<String>>read(strategies, "$[*].id"))
			.containsExactlyElementsOf(Staircase.steps().stream().map((step) -> step.id()).toList());
		assertThat(JsonPath.<List<String>>read(strategies, "$[*].source")).allMatch((text) -> text.contains("class "));
		assertThat(JsonPath.<List<String>>read(get("/api/faults"), "$[*].id")).contains("none", "kill-holder");
		assertThat(JsonPath.<Integer>read(get("/api/limits"), "$.nodes.default")).isEqualTo(2);
	}

	@Test
	void orderThatIsNotPossibleIsRefusedWithItsFields() {
		HttpResponse<String> answer = post("{\"strategy\":\"<b>\",\"nodes\":99}");
		assertThat(answer.statusCode()).isEqualTo(400);
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(JsonPath.<List<String>>read(answer.body(), "$.errors[*].field")).containsExactly("strategy",
				"nodes");
		assertThat(post("{\"nodes\":\"many\"}").statusCode()).isEqualTo(400);
		assertThat(send(request("/api/runs/run-99").GET()).statusCode()).isEqualTo(404);
	}

	/** Two nodes start once, so all that needs a run is looked at here. */
	@Test
	void runIsWatchedRepeatedExportedAndTheOnlyOne() {
		HttpResponse<String> started = post(
				"{\"strategy\":\"nothing\",\"callers\":16,\"items\":300,\"insideMillis\":1}");
		assertThat(started.statusCode()).isEqualTo(202);
		String id = JsonPath.read(started.body(), "$.id");
		assertThat(post("{\"strategy\":\"nothing\"}").statusCode()).isEqualTo(409);
		String live = get("/api/runs/" + id + "/events");
		List<String> names = Arrays.stream(live.split("\n")).filter((line) -> line.startsWith("event:")).toList();
		assertThat(names).contains("event:node", "event:progress", "event:sections").endsWith("event:verdict");
		assertThat(live).contains("\"overlap\":true");
		assertThat(events(get("/api/runs/" + id + "/events"))).as("replayed").isEqualTo(events(live));
		String run = get("/api/runs/" + id);
		assertThat(JsonPath.<String>read(run, "$.state")).isEqualTo("ended");
		assertThat(JsonPath.<String>read(run, "$.verdict.outcome")).isEqualTo("wrong");
		assertThat(JsonPath.<Integer>read(run, "$.verdict.oversold")).isPositive();
		assertThat(JsonPath.<List<?>>read(run, "$.sections")).isNotEmpty();
		assertThat(JsonPath.<List<String>>read(get("/api/runs"), "$[*].id")).contains(id);
		assertThat(get("/api/runs.csv").lines().toList()).element(1).asString().startsWith(id + ",nothing,none,2,16");
		assertThat(JsonPath.<List<String>>read(get("/api/runs.json"), "$[*].id")).contains(id);
	}

	/** Without comments, which only say that somebody still listens. */
	private static List<String> events(String stream) {
		return stream.lines().filter((line) -> line.startsWith("event:") || line.startsWith("data:")).toList();
	}

	private String get(String path) {
		HttpResponse<String> answer = send(request(path).GET());
		assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
		return answer.body();
	}

	private HttpResponse<String> post(String body) {
		return send(request("/api/runs").header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(body)));
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + path)).timeout(LIMIT);
	}

	private HttpResponse<String> send(HttpRequest.Builder request) {
		return this.client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString()).join();
	}

}
