package io.distlock.lab.web;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import com.jayway.jsonpath.JsonPath;
import io.distlock.lab.run.Expectation;
import io.distlock.lab.run.Expectations;
import io.distlock.lab.run.Fault;
import io.distlock.lab.run.Outcome;
import io.distlock.lab.run.RunRequest;
import io.distlock.lab.strategy.Staircase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files that the page works with where no lab runs are those that this lab would
 * write. {@code --record=docs/lab/data} writes them.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class RecordedRunsTests {

	private static final Path FOLDER = Path.of("../docs/lab/data");

	private static final long MOST_BYTES = 1_500_000;

	@LocalServerPort
	private int port;

	@ParameterizedTest
	@ValueSource(strings = { "strategies", "faults", "limits", "tour" })
	void recordedTextsAreThoseOfTheApi(String name) throws IOException, InterruptedException {
		String live = HttpClient.newHttpClient()
			.send(HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/api/" + name)).build(),
					HttpResponse.BodyHandlers.ofString())
			.body();
		assertThat(json(name)).as("record anew").isEqualTo(live);
	}

	static Stream<Map.Entry<String, RunRequest>> recordings() {
		return Recorder.recordings().entrySet().stream();
	}

	@ParameterizedTest
	@MethodSource("recordings")
	void recordedRunIsWhatIsExpectedOfItsStrategy(Map.Entry<String, RunRequest> recording) throws IOException {
		String run = json("runs/" + recording.getKey());
		RunRequest request = recording.getValue();
		assertThat(JsonPath.<String>read(run, "$.id")).isEqualTo(recording.getKey());
		assertThat(JsonPath.<Map<String, Object>>read(run, "$.request"))
			.isEqualTo(Map.of("strategy", request.strategy(), "fault", request.fault(), "nodes", request.nodes(),
					"callers", request.callers(), "items", request.items(), "insideMillis", request.insideMillis()));
		Expectation expected = Expectations
			.of(Staircase.find(request.strategy()).orElseThrow(), Fault.find(request.fault()).orElseThrow(),
					request.nodes())
			.expected();
		String outcome = JsonPath.read(run, "$.verdict.outcome");
		assertThat(expected.allows(Outcome.valueOf(outcome.toUpperCase(Locale.ROOT)))).as(outcome).isTrue();
		List<Integer> story = JsonPath.read(run, "$.verdict.story");
		assertThat(story).isNotEmpty().hasSizeLessThanOrEqualTo(5);
		assertThat(JsonPath.<List<Integer>>read(run, "$.story[*].id")).containsAll(story);
	}

	/** A caller that waits for itself never works. */
	static Stream<Map.Entry<String, RunRequest>> recordingsOfWork() {
		return recordings().filter((recording) -> !recording.getValue().strategy().equals("setnx-twice"));
	}

	/**
	 * Recorded on a busy machine, work of 5 ms takes seconds, and teaches something else.
	 */
	@ParameterizedTest
	@MethodSource("recordingsOfWork")
	void recordedWorkTakesAboutAsLongAsItSays(Map.Entry<String, RunRequest> recording) throws IOException {
		List<Map<String, Number>> sections = JsonPath.read(json("runs/" + recording.getKey()),
				"$.sections[?(@.end == 'left')]");
		List<Double> millis = sections.stream()
			.map((section) -> section.get("to").doubleValue() - section.get("from").doubleValue())
			.sorted()
			.toList();
		int inside = recording.getValue().insideMillis();
		assertThat(millis.get(millis.size() / 2)).as("median").isBetween(0.9 * inside, 3.0 * inside);
	}

	@Test
	void recordedRunsAreFewAndSmall() throws IOException {
		try (Stream<Path> files = Files.walk(FOLDER)) {
			List<Path> all = files.filter(Files::isRegularFile).toList();
			assertThat(all.stream().filter((file) -> file.getParent().endsWith("runs")))
				.extracting((file) -> file.getFileName().toString().replace(".json", ""))
				.containsExactlyInAnyOrderElementsOf(Recorder.recordings().keySet());
			assertThat(all.stream().mapToLong((file) -> file.toFile().length()).sum()).isLessThan(MOST_BYTES);
		}
		assertThat(JsonPath.<List<String>>read(json("runs"), "$[*].id"))
			.containsExactlyInAnyOrderElementsOf(Recorder.recordings().keySet());
	}

	private static String json(String name) throws IOException {
		return Files.readString(FOLDER.resolve(name + ".json")).strip();
	}

}
