package io.distlock.databases;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class SkipCheckTests {

	private static final Instant BEGIN = Instant.parse("2020-01-01T00:00:00Z");

	@TempDir
	private Path root;

	private SkipCheck usual() {
		return SkipCheck.check(this.root, BEGIN, false, true);
	}

	private SkipCheck proof() {
		return SkipCheck.check(this.root, BEGIN, true, true);
	}

	@Test
	void checkWhenAServerIsMissingThenNamesWhatDidNotRun() throws IOException {
		String reason = ServerCondition.missing("mariadbd", "optional").getReason().orElseThrow();
		report("lock-jdbc", "<skipped message=\"" + reason + "\"/>");
		report("verification/lock-starter-tests/jdbc", "");
		SkipCheck check = usual();
		assertThat(check.counts()).isEqualTo("""
				1 tests in all modules
				  lock-jdbc: 0
				  verification/lock-starter-tests/jdbc: 1""");
		assertThat(check.lastLines(BEGIN)).endsWith("\nDid not run, as a server is missing: 1 tests of ExampleTests");
	}

	@ParameterizedTest
	@ValueSource(strings = { "<skipped/>", "<skipped message=\"assumption\"/>",
			"<skipped message=\"disabled: missing on this machine: mariadbd\"/>",
			"<skipped message=\"@Disabled\"></skipped>" })
	void checkWhenATestIsSkippedForAnotherReasonThenFails(String skipped) throws IOException {
		report("lock-core", "<skipped message=\"" + ServerCondition.LEFT_OUT + "mariadbd not found\"/>");
		report("verification/lock-starter-tests/jdbc", skipped);
		assertThatIllegalStateException().isThrownBy(this::usual)
			.withMessageStartingWith("Tests were skipped:")
			.withMessageContaining("io.distlock.ExampleTests")
			.withMessageNotContaining("mariadbd not found");
	}

	@Test
	void checkWhenATestPrintsTheWordThenPasses() throws IOException {
		report("lock-core", "<system-out><![CDATA[<skipped/>]]></system-out>");
		assertThat(usual().counts()).isEqualTo("""
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
		assertThat(usual().counts()).isEqualTo("""
				2 tests in all modules
				  lock-redis: 1
				  lock-redis with other servers: 1
				  of these with the tag ci: 1
				  of these with the tag mutants: 23""");
	}

	/** The tests that ran and those left out are together all of the full proof. */
	@Test
	void checkWhenAClassNeitherRanNorIsLeftOutThenFails() throws IOException {
		report("lock-core", "");
		source("lock-core", "Example", "class ExampleTests {}");
		source("lock-core", "AbstractExample", "abstract class AbstractExampleTests {}");
		source("lock-core", "Long", "@Tag(\"reliability\")\nclass LongTests {}");
		proof();
		source("lock-core", "Slow", "@Tag(\"ci\")\nclass SlowTests {}");
		source("lock-core", "Broken", "@Mutants\nclass BrokenTests {}");
		write("verification/pom.xml",
				"<profile><id>full-proof</id><module>lock-aot-tests</module></profile><profile><module>lock-core</module></profile>");
		source("verification/lock-aot-tests/line", "Generated", "class GeneratedTests {}");
		usual();
		assertThatIllegalStateException().isThrownBy(this::proof)
			.withMessageEndingWith("left out:\nlock-aot-tests: io.distlock.GeneratedTests\n"
					+ "lock-core: io.distlock.BrokenTests\nlock-core: io.distlock.SlowTests");
		source("lock-core", "Lost", "class LostTests {}");
		assertThatIllegalStateException().isThrownBy(this::usual)
			.withMessageEndingWith("left out:\nlock-core: io.distlock.LostTests");
		SkipCheck.check(this.root, BEGIN, false, false);
	}

	@Test
	void lastLinesSayWhatRanAndWhatIsLeftToTheProof() throws IOException {
		report("lock-core", "");
		source("lock-core", "Example", "class ExampleTests {\n\t@Tag(\"ci\")\n}");
		source("lock-core", "Slow", "@Tag(\"ci\")\nclass SlowTests {}");
		source("lock-core", "Broken", "@Mutants\nclass BrokenTests {}");
		write("verification/pom.xml", "<profile><id>full-proof</id><module>lock-aot-tests</module></profile>");
		source("verification/lock-aot-tests", "Generated", "class GeneratedTests {}");
		assertThat(usual().lastLines(BEGIN.plusSeconds(290)).lines()).hasSize(5)
			.satisfiesExactly((line) -> assertThat(line).isEqualTo("Ran 1 tests of 1 classes in 290 s"),
					(line) -> assertThat(line).endsWith(": 1 classes of lock-aot-tests"),
					(line) -> assertThat(line).contains(": 1 classes with a tag, tests of 1 others, "),
					(line) -> assertThat(line).endsWith("all mutants, of 1 classes and of others"),
					(line) -> assertThat(line).isEqualTo("Nothing was missing on this machine"));
	}

	@Test
	void reportsOfEarlierBuildsAreNotCounted() throws IOException {
		report("lock-core", "");
		Files.setLastModifiedTime(
				this.root.resolve("lock-core/target/surefire-reports/TEST-io.distlock.ExampleTests.xml"),
				FileTime.from(BEGIN.minus(Duration.ofMinutes(1))));
		source("lock-core", "Example", "class ExampleTests {}");
		assertThat(usual().counts()).isEqualTo("0 tests in all modules");
	}

	private void source(String module, String name, String text) throws IOException {
		write(module + "/src/test/java/io/distlock/" + name + "Tests.java", text);
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
