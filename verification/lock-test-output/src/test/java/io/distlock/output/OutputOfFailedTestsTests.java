package io.distlock.output;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

class OutputOfFailedTestsTests {

	private static final int LIMIT = 100;

	private static KeptOutput kept = new KeptOutput(LIMIT);

	@Test
	void outputOfAClassThatPassesIsDropped() {
		assertThat(consoleAfter(Passing.class, true)).isEmpty();
		assertThat(kept.take()).isEmpty();
	}

	@Test
	void outputOfTheTestThatFailsIsPrintedWithTheFailureAndNoOther() {
		assertThat(consoleAfter(Failing.class, true)).contains("Failing", "b()")
			.containsSubsequence("failed", "set up", "from b", "the reason", Failing.class.getName())
			.doesNotContain("from a", "from c");
	}

	@Test
	void outputOfTestsThatRunAtATimeIsThatOfEach() {
		assertThat(consoleAfter(Together.class, true))
			.containsSubsequence("b() failed", "from a", "from b", "the reason")
			.doesNotContain("a() failed");
		assertThat(kept.take()).isEmpty();
	}

	@Test
	void outputOfASetUpThatFailsIsPrinted() {
		assertThat(consoleAfter(Unready.class, true)).containsSubsequence("Unready failed", "set up", "not ready");
	}

	@Test
	void nothingIsPrintedUnlessTheBuildAsksForIt() {
		assertThat(consoleAfter(Failing.class, false)).isEmpty();
	}

	@Test
	void longOutputLosesItsBeginning() {
		for (int line = 0; line < 1000; line++) {
			say("line " + line);
		}
		assertThat(kept.take()).startsWith("[...]\nline ").endsWith("line 999\n").hasSizeLessThan(3 * LIMIT);
		say("again");
		assertThat(kept.take()).isEqualTo("again\n");
	}

	private static String consoleAfter(Class<?> tests, boolean active) {
		ByteArrayOutputStream console = new ByteArrayOutputStream();
		LauncherFactory
			.create(LauncherConfig.builder()
				.enableTestExecutionListenerAutoRegistration(false)
				.addTestExecutionListeners(new OutputOfFailedTests(kept, new PrintStream(console), active))
				.build())
			.execute(LauncherDiscoveryRequestBuilder.request()
				.selectors(selectClass(tests))
				.configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
				.configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
				.configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
				.build());
		return console.toString(StandardCharsets.UTF_8);
	}

	private static void say(String line) {
		byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
		kept.write(bytes, 0, bytes.length);
	}

	static class Passing {

		@Test
		void a() {
			say("from a");
		}

	}

	@TestMethodOrder(MethodOrderer.MethodName.class)
	static class Failing {

		@BeforeAll
		static void prepare() {
			say("set up");
		}

		@Test
		void a() {
			say("from a");
		}

		@Test
		void b() {
			say("from b");
			throw new IllegalStateException("the reason");
		}

		@Test
		void c() {
			say("from c");
		}

	}

	@Execution(ExecutionMode.CONCURRENT)
	static class Together {

		private static final CountDownLatch SAID = new CountDownLatch(1);

		private static final CountDownLatch FAILED = new CountDownLatch(1);

		@Test
		void a() throws InterruptedException {
			say("from a");
			SAID.countDown();
			FAILED.await();
		}

		@Test
		void b() throws InterruptedException {
			SAID.await();
			say("from b");
			FAILED.countDown();
			throw new IllegalStateException("the reason");
		}

	}

	static class Unready {

		@BeforeAll
		static void prepare() {
			say("set up");
			throw new IllegalStateException("not ready");
		}

		@Test
		void a() {
			say("from a");
		}

	}

}
