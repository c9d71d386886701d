package io.distlock.lab.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.jayway.jsonpath.JsonPath;
import io.distlock.lab.run.Expectations;
import io.distlock.lab.run.FaultNote;
import io.distlock.lab.run.FaultView;
import io.distlock.lab.run.KeySample;
import io.distlock.lab.run.NodeNote;
import io.distlock.lab.run.Overlap;
import io.distlock.lab.run.Progress;
import io.distlock.lab.run.RunRequest;
import io.distlock.lab.run.RunView;
import io.distlock.lab.run.ScriptCall;
import io.distlock.lab.run.Section;
import io.distlock.lab.run.StoryNote;
import io.distlock.lab.run.StrategyView;
import io.distlock.lab.run.Tour;
import io.distlock.lab.run.Verdict;
import io.distlock.lab.strategy.Setting;
import io.distlock.lab.strategy.Source;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

import static org.assertj.core.api.Assertions.assertThat;

/** The description of the API, which people and tools read, is that of the code. */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OpenApiTests {

	@Autowired
	private RequestMappingHandlerMapping requestMappingHandlerMapping;

	@Test
	void describedOperationsAreThoseOfTheControllers() throws IOException {
		Set<String> described = new TreeSet<>();
		Map<String, Map<String, Object>> paths = JsonPath.read(description(), "$.paths");
		paths.forEach((path, methods) -> methods.keySet()
			.forEach((method) -> described.add(method.toUpperCase(Locale.ROOT) + " " + path)));
		Set<String> mapped = new TreeSet<>();
		for (Map.Entry<RequestMappingInfo, HandlerMethod> each : this.requestMappingHandlerMapping.getHandlerMethods()
			.entrySet()) {
			if (each.getValue().getBeanType().getName().startsWith("io.distlock.lab")) {
				each.getKey()
					.getPathPatternsCondition()
					.getPatternValues()
					.forEach((path) -> each.getKey()
						.getMethodsCondition()
						.getMethods()
						.forEach((method) -> mapped.add(method + " " + path)));
			}
		}
		assertThat(described).isEqualTo(mapped).hasSizeGreaterThan(8);
	}

	@ParameterizedTest
	@ValueSource(classes = { Progress.class, Verdict.class, Section.class, FaultNote.class, NodeNote.class,
			RunRequest.class, RunView.class, StrategyView.class, FaultView.class, StoryNote.class, Overlap.class,
			KeySample.class, ScriptCall.class, Tour.Stop.class, Expectations.Cell.class,
			StrategyView.ConditionView.class, Setting.class, Source.class })
	void describedFieldsAreThoseOfTheRecords(Class<?> type) throws IOException {
		String schema = type.getSimpleName().replace("View", "");
		Map<String, Object> fields = JsonPath.read(description(), "$.components.schemas." + schema + ".properties");
		assertThat(fields.keySet()).isEqualTo(Arrays.stream(type.getRecordComponents())
			.map((component) -> component.getName())
			.collect(Collectors.toSet()));
	}

	private static String description() throws IOException {
		return new ClassPathResource("static/openapi.json").getContentAsString(StandardCharsets.UTF_8);
	}

}
