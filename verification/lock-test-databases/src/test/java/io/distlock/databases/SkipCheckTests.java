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
		assertThat(SkipCheck.check(this.root)).isEqualTo("""
				1 tests in all modules
				  lock-jdbc: 0
				  verification/lock-starter-tests/jdbc: 1
				1 did not run because a server is missing, of io.distlock.ExampleTests""");
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
		assertThat(SkipCheck.check(this.root)).isEqualTo("""
				1 tests in all modules
				  lock-core: 1""");
	}

	@Test
	void checkWhenTestsHaveTagsOrRanOnceMoreThenCountsThem() throws IOException {
		report("lock-redis", "");
		write("lock-redis/target/other-servers/TEST-io.distlock.ExampleTests.xml",
				"<testsuite><testcase classname=\"io.distlock.ExampleTests\"/></testsuite>");
		write("lock-redis/target/test-counts/io.distlock.ExampleTests", "ci 1\nmutants 20");
		write("lock-jdbc/target/test-counts/io.distlock.OtherTests", "mutants 3");
		assertThat(SkipCheck.check(this.root)).isEqualTo("""
				2 tests in all modules
				  lock-redis: 1
				  lock-redis with other servers: 1
				  of these with the tag ci: 1
				  of these with the tag mutants: 23""");
	}

	private void report(String module, String inside) throws IOException {
		write(module + "/target/surefire-reports/TEST-io.distlock.ExampleTests.xml",
				"<testsuite><testcase name=\"\" classname=\"io.distlock.ExampleTests$Inner\">" + inside
						+ "</testcase></testsuite>");
	}

	private void write(String file, String text) throws IOException {
		Path path = this.root.resolve(file);
		Files.createDirectories(path.getParent());
		Files.writeString(path, text);
	}

}
