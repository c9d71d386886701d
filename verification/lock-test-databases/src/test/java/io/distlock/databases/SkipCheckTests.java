package io.distlock.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SkipCheckTests {

	@TempDir
	private Path root;

	@Test
	void checkWhenAServerIsMissingThenNamesWhatDidNotRun() throws IOException {
		String reason = ServerCondition.missing("mariadbd", "optional").getReason().orElseThrow();
		report("lock-jdbc", "<skipped message=\"" + reason + "\"/>");
		report("verification/lock-starter-tests/jdbc", "");
		assertThat(SkipCheck.check(this.root)).isEqualTo(
				"1 tests in all modules; 1 did not run because a server is missing, of io.distlock.ExampleTests");
	}

	@ParameterizedTest
	@ValueSource(strings = { "<skipped/>", "<skipped message=\"assumption\"/>",
			"<skipped message=\"disabled: missing on this machine: mariadbd\"/>",
			"<skipped message=\"@Disabled\"></skipped>" })
	void checkWhenATestIsSkippedForAnotherReasonThenFails(String skipped) throws IOException {
		report("lock-core", "<skipped message=\"" + ServerCondition.LEFT_OUT + "mariadbd not found\"/>");
		report("verification/lock-starter-tests/jdbc", skipped);
		assertThatIllegalStateException().isThrownBy(() -> SkipCheck.check(this.root))
			.withMessageStartingWith("Tests were skipped:")
			.withMessageContaining("io.distlock.ExampleTests")
			.withMessageNotContaining("mariadbd not found");
	}

	@Test
	void checkWhenATestPrintsTheWordThenPasses() throws IOException {
		report("lock-core", "<system-out><![CDATA[<skipped/>]]></system-out>");
		assertThat(SkipCheck.check(this.root)).isEqualTo("1 tests in all modules");
	}

	private void report(String module, String inside) throws IOException {
		Path folder = Files.createDirectories(this.root.resolve(module).resolve("target/surefire-reports"));
		Files.writeString(folder.resolve("TEST-io.distlock.ExampleTests.xml"),
				"<testsuite><testcase name=\"\" classname=\"io.distlock.ExampleTests$Inner\">" + inside
						+ "</testcase></testsuite>");
	}

}
