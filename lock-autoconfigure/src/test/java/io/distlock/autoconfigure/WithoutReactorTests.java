package io.distlock.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/** Reactor is optional: an application in a process of its own that has none. */
class WithoutReactorTests {

	private static final Pattern ABSENT = Pattern.compile("(reactor|reactive|rxjava|kotlin|lettuce).*\\.jar");

	@Test
	void stagesAndPlainMethodsWork() throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath(), Program.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		assertThat(output).contains("Reactor: false, plain, stage");
	}

	private static String classPath() {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !ABSENT.matcher(Path.of(entry).getFileName().toString()).matches())
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** What runs there. */
	static final class Program {

		private Program() {
		}

		public static void main(String[] arguments) {
			List<Class<?>> sources = new ArrayList<>(List.of(Application.class));
			sources.addAll(Arrays.asList(AutoConfigurations.getClasses(LockApplications.withoutRedis())));
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
				.web(WebApplicationType.NONE)
				.run("--distributed-lock.store=memory")) {
				Jobs jobs = context.getBean(Jobs.class);
				boolean reactor = ClassUtils.isPresent("reactor.core.publisher.Mono", null);
				System.out.println("Reactor: " + reactor + ", " + jobs.plain() + ", " + jobs.stage().join());
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

	static class Jobs {

		@DistributedLock(name = "plain")
		public String plain() {
			return "plain";
		}

		@DistributedLock(name = "stage")
		public CompletableFuture<String> stage() {
			return CompletableFuture.supplyAsync(() -> "stage");
		}

	}

}
