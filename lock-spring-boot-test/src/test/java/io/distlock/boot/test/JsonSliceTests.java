package io.distlock.boot.test;

import java.util.List;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** A slice that has nothing of its own to do with locks, databases or the web. */
@JsonTest
@AutoConfigureDistributedLocks
@Import(Jobs.class)
class JsonSliceTests {

	@Autowired
	private Jobs jobs;

	@Test
	void annotatedMethodTakesItsLock(LockTester locks) {
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
		assertThat(locks).acquired("job:a").once().nothingHeld();
	}

	/** A slice has the locks of an application, but not what operates them. */
	@Test
	void slicesThenHaveAllThatConfiguresLocks() {
		ClassLoader loader = getClass().getClassLoader();
		List<String> ofSlices = ImportCandidates.load(AutoConfigureDistributedLocks.class, loader).getCandidates();
		List<String> ofApplications = ImportCandidates.load(AutoConfiguration.class, loader)
			.getCandidates()
			.stream()
			.filter((name) -> name.startsWith("io.distlock.autoconfigure."))
			.filter((name) -> !name.matches(".*(Metrics|Endpoint|Health|Observation)AutoConfiguration"))
			.toList();
		assertThat(ofSlices).isNotEmpty().containsExactlyInAnyOrderElementsOf(ofApplications);
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
