package io.distlock.databases;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A build that is interrupted leaves neither servers nor files. */
@NeedsServer(commands = "setsid", debianPackages = "util-linux")
@Tag("ci")
class LeftoversTests {

	private static final String STARTED = "started";

	/** As Ctrl-C in a terminal, or the end of a job of CI. */
	@Test
	void signalToAllProcessesLeavesNothing(@TempDir Path directory) throws Exception {
		Process build = new ProcessBuilder("setsid", "--wait",
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Djava.io.tmpdir=" + directory,
				"-cp", System.getProperty("java.class.path"), Build.class.getName())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		try (BufferedReader output = new BufferedReader(
				new InputStreamReader(build.getInputStream(), StandardCharsets.UTF_8))) {
			String line = output.readLine();
			assertThat(line).startsWith(STARTED);
			assertThat(files(directory)).as("of the server, and watched").hasSizeGreaterThan(1);
			ServerProcess.run(List.of("sh", "-c", "kill -s TERM -- -" + line.substring(STARTED.length())));
			assertThat(build.waitFor(20, TimeUnit.SECONDS)).as("ended").isTrue();
		}
		finally {
			build.descendants().forEach(ProcessHandle::destroyForcibly);
		}
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (!files(directory).isEmpty() && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
		assertThat(files(directory)).isEmpty();
	}

	private static List<String> files(Path directory) throws IOException {
		try (Stream<Path> files = Files.list(directory)) {
			return files.map((file) -> file.getFileName().toString())
				.filter((name) -> name.startsWith("distlock-"))
				.toList();
		}
	}

	/** Starts a server and waits for its end. */
	static final class Build {

		public static void main(String[] arguments) throws InterruptedException {
			ServerProcess.deleteAfterThisJvm(ServerProcess.newDirectory("watched"));
			PostgresServer server = PostgresServer.start();
			System.out.println(STARTED + ProcessHandle.current().pid());
			new CountDownLatch(1).await();
			server.close();
		}

	}

}
