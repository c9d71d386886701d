package io.distlock.aspectj;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/** A JVM of its own, with or without a weaver, on this test's class path. */
final class ChildJvm {

	private static final String CLASS_PATH = System.getProperty("java.class.path");

	private ChildJvm() {
	}

	/** The jar on the class path, as an application would name it. */
	static String agent() {
		return "-javaagent:" + Arrays.stream(CLASS_PATH.split(File.pathSeparator))
			.filter((entry) -> Path.of(entry).getFileName().toString().startsWith("aspectjweaver-"))
			.findFirst()
			.orElseThrow(() -> new AssertionError("No weaver on " + CLASS_PATH));
	}

	static List<String> run(String classPath, List<String> options, Class<?> main, String... arguments)
			throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-Xshare:auto"));
		command.addAll(options);
		command.addAll(List.of("-cp", classPath + CLASS_PATH, main.getName()));
		command.addAll(List.of(arguments));
		Path output = Files.createTempFile("woven", ".log");
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(process.waitFor(600, TimeUnit.SECONDS)).as("ended in time").isTrue();
			List<String> lines = Files.readAllLines(output);
			assertThat(process.exitValue()).as(() -> String.join("\n", lines)).isZero();
			return lines;
		}
		finally {
			process.destroyForcibly();
			Files.delete(output);
		}
	}

}
