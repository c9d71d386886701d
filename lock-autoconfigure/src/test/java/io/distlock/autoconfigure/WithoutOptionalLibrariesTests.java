package io.distlock.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.LockLoss;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.observe.AcquisitionObserver;
import io.distlock.observe.LockObserver;
import io.distlock.spring.event.LockLostEvent;
import org.junit.jupiter.api.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reactor, Micrometer and AspectJ are optional: an application in a process of its own
 * that has none of them.
 */
@Tag("ci")
class WithoutOptionalLibrariesTests {

	private static final Pattern ABSENT = Pattern
		.compile("(aspectj|reactor|reactive|rxjava|kotlin|lettuce|micrometer-(core|registry|tracing)).*\\.jar");

	@Test
	void methodsAreLockedAndLossesAreReported() throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath(), Program.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		assertThat(output).contains("Reactor: false, Micrometer: false, plain, stage")
			.contains("lost to the listener, lost as an event, acquired to the observer")
			.doesNotContain("NoClassDefFoundError");
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

		public static void main(String[] arguments) throws Exception {
			List<Class<?>> sources = new ArrayList<>(List.of(Application.class));
			sources.addAll(Arrays.asList(AutoConfigurations.getClasses(LockApplications.withoutRedis())));
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
				.web(WebApplicationType.NONE)
				.run("--distributed-lock.store=memory")) {
				Jobs jobs = context.getBean(Jobs.class);
				System.out.println("Reactor: " + ClassUtils.isPresent("reactor.core.publisher.Mono", null)
						+ ", Micrometer: " + ClassUtils.isPresent("io.micrometer.core.instrument.MeterRegistry", null)
						+ ", " + jobs.plain() + ", " + jobs.stage().join());
				Reports reports = context.getBean(Reports.class);
				LockRequest request = LockRequest.of("report").leaseFor(Duration.ofSeconds(3));
				context.getBean(LockTemplate.class).acquire(request);
				System.out
					.println(reports.lost.get(60, TimeUnit.SECONDS) + ", " + reports.published.get(60, TimeUnit.SECONDS)
							+ ", " + reports.acquired.get(60, TimeUnit.SECONDS));
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Jobs.class, Reports.class })
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

	/** What an application is notified of. */
	static class Reports implements LockObserver {

		final CompletableFuture<String> lost = new CompletableFuture<>();

		final CompletableFuture<String> published = new CompletableFuture<>();

		final CompletableFuture<String> acquired = new CompletableFuture<>();

		@Override
		public void lost(LockLoss loss) {
			this.lost.complete("lost to the listener");
		}

		@EventListener
		void on(LockLostEvent event) {
			this.published.complete("lost as an event");
		}

		@Override
		public @Nullable AcquisitionObserver acquiring(String store, LockRequest request) {
			this.acquired.complete("acquired to the observer");
			return null;
		}

	}

}
