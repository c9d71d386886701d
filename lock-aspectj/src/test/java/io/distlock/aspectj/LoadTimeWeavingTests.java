package io.distlock.aspectj;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("ci")
class LoadTimeWeavingTests extends AbstractWeavingTests {

	@Override
	protected List<String> runScenarios() {
		return run("", List.of(agent()));
	}

	/** The jar on the class path, as an application would name it. */
	private static String agent() {
		return "-javaagent:" + Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> Path.of(entry).getFileName().toString().startsWith("aspectjweaver-"))
			.findFirst()
			.orElseThrow();
	}

	@Test
	void withoutTheAgentTheApplicationDoesNotStart() {
		Map<String, String> outcomes = WovenScenarios.outcomes(run("", List.of(), "start"));
		assertThat(outcomes.get("start")).startsWith("InvalidLockDefinitionException: ")
			.contains("distributed-lock.advice-mode is 'aspectj', but the method was not woven. Start the JVM with "
					+ "-javaagent:aspectjweaver.jar");
	}

}
