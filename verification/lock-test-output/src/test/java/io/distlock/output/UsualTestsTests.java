package io.distlock.output;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

class UsualTestsTests {

	@TempDir
	private Path counts;

	@Test
	void usualBuildRunsNeitherMutantsNorWhatIsExpensive() {
		assertThat(methods(Mixed.class, true)).containsExactly("usual");
		assertThat(methods(OnlyMutants.class, true)).isEmpty();
	}

	@Test
	void fullProofRunsAll() {
		assertThat(methods(Mixed.class, false)).containsExactlyInAnyOrder("usual", "mutant", "expensive");
		assertThat(methods(OnlyMutants.class, false)).containsExactly("ofTheClass");
	}

	@Test
	void testsAreCountedByTheirTags() throws Exception {
		LauncherFactory
			.create(LauncherConfig.builder()
				.enableTestExecutionListenerAutoRegistration(false)
				.enablePostDiscoveryFilterAutoRegistration(false)
				.addTestExecutionListeners(new TestCounts(this.counts, true))
				.build())
			.execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(Mixed.class)).build());
		assertThat(Files.readAllLines(this.counts.resolve(Mixed.class.getName()))).containsExactly("ci 2", "mutants 1");
	}

	private static List<String> methods(Class<?> tests, boolean active) {
		TestPlan plan = LauncherFactory
			.create(LauncherConfig.builder()
				.enablePostDiscoveryFilterAutoRegistration(false)
				.addPostDiscoveryFilters(new UsualTests(active))
				.build())
			.discover(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build());
		List<String> methods = new ArrayList<>();
		plan.accept(new TestPlan.Visitor() {
			@Override
			public void visit(TestIdentifier test) {
				if (test.isTest()) {
					methods.add(test.getDisplayName().replace("()", ""));
				}
			}
		});
		return methods;
	}

	/** Not found by the build. */
	static class Mixed {

		@Test
		void usual() {
		}

		@Test
		@Mutants
		void mutant() {
		}

		@Test
		@Tag("ci")
		void expensive() {
		}

	}

	/** Not found by the build. */
	@Mutants
	static class OnlyMutants {

		@Test
		void ofTheClass() {
		}

	}

}
