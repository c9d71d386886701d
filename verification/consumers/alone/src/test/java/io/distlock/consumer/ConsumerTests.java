package io.distlock.consumer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.spi.LockStore;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/** An application with the starter as its only dependency. */
class ConsumerTests {

	private static final String TESTED = System.getProperty("tested.spring-boot");

	private static final Pattern SPRING = Pattern
		.compile("org/springframework(?<project>/boot|/data)?/(?<artifact>[^/]+)/(?<version>[^/]+)/[^/]+\\.jar");

	@Test
	void applicationStartsAndLocks() {
		try (RedisServer redis = RedisServer.start();
				ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
					.properties("spring.data.redis.port=" + redis.port())
					.run()) {
			assertThat(application.getBean(JobService.class).run("a")).isEqualTo("job:a");
			assertThat(application.getBean(LockStore.class).describe()).contains(":" + redis.port());
		}
	}

	@Test
	void jarsOfSpringAreOfOneVersion() throws IOException {
		Map<String, Set<String>> versions = new TreeMap<>();
		for (String jar : System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator))) {
			Matcher matcher = SPRING.matcher(jar.replace(File.separatorChar, '/'));
			if (matcher.find()) {
				String project = matcher.group("project");
				versions.computeIfAbsent((project != null) ? project : "", (key) -> new TreeSet<>())
					.add(matcher.group("version"));
			}
		}
		assertThat(versions).containsOnlyKeys("", "/boot", "/data")
			.allSatisfy((project, found) -> assertThat(found).hasSize(1));
		assertThat(versions.get("/boot")).containsExactly(TESTED);
		assertThat(Files.readString(Path.of("../../../pom.xml"))).as("versions of this project")
			.containsPattern("<spring-boot\\.(floor|line)\\.version>" + Pattern.quote(TESTED) + "<");
	}

	@SpringBootApplication
	@Import(JobService.class)
	static class Application {

	}

	static class JobService {

		@DistributedLock(name = "job", key = "#id")
		public String run(String id) {
			return LockContext.current().orElseThrow().key();
		}

	}

}
