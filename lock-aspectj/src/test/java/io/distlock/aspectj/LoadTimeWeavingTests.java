package io.distlock.aspectj;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoadTimeWeavingTests extends AbstractWeavingTests {

	@Override
	protected List<String> runScenarios() throws Exception {
		return ChildJvm.run("", List.of(ChildJvm.agent()), WovenScenarios.class);
	}

	@Test
	void withoutTheAgentTheApplicationDoesNotStart() throws Exception {
		Map<String, String> outcomes = WovenScenarios
			.outcomes(ChildJvm.run("", List.of(), WovenScenarios.class, "start"));
		assertThat(outcomes.get("start")).startsWith("InvalidLockDefinitionException: ")
			.contains("distributed-lock.advice-mode is 'aspectj', but the method was not woven. Start the JVM with "
					+ "-javaagent:aspectjweaver.jar");
	}

}
