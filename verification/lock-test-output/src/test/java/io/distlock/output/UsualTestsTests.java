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
	void usualBuildRunsMutantsOnlyOfWhatChanged() {
		assertThat(methods(true, "nothing")).containsExactlyInAnyOrder("usual");
		assertThat(methods(true, "here")).containsExactlyInAnyOrder("usual", "mutant");
		assertThat(methods(OnlyMutants.class, true, "nothing")).isEmpty();
		assertThat(methods(OnlyMutants.class, true, "here")).containsExactly("ofTheClass");
	}

	@Test
	void fullProofRunsAll() {
		assertThat(methods(false, "nothing")).containsExactlyInAnyOrder("usual", "mutant", "expensive");
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
		assertThat(Files.readAllLines(this.counts.resolve(Mixed.class.getName()))).containsExactly("ci 1", "mutants 1");
	}

	private static List<String> methods(boolean active, String changed) {
		return methods(Mixed.class, active, changed);
	}

	private static List<String> methods(Class<?> tests, boolean active, String changed) {
		TestPlan plan = LauncherFactory.create(LauncherConfig.builder()
			.enablePostDiscoveryFilterAutoRegistration(false)
			.addPostDiscoveryFilters(new UsualTests(active, new Changes() {
				@Override
				boolean concern(String... folders) {
					return List.of(folders).contains(changed);
				}
			}))
			.build()).discover(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build());
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
		@Mutants(of = { "there", "here" })
		void mutant() {
		}

		@Test
		@Tag("ci")
		void expensive() {
		}

	}

	/** Not found by the build. */
	@Mutants(of = "here")
	static class OnlyMutants {

		@Test
		void ofTheClass() {
		}

	}

}
