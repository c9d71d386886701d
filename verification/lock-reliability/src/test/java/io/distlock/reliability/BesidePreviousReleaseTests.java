package io.distlock.reliability;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisLockStore;
import io.distlock.test.ChildJvm;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes with the jars of another release beside processes of this build, on one
 * Redis, as during an upgrade one instance at a time. {@code -Dprevious.jars} names a
 * folder with {@code lock-core} and {@code lock-redis} of that release, which
 * {@code .ci/beside-release} fills.
 */
@Tag("previous-release")
class BesidePreviousReleaseTests {

	private static final String PREVIOUS = System.getProperty("previous.jars", "");

	private static final String KEY = "shared:counter";

	private static final int ROUNDS = Pass.current().of(30, 2_000);

	@Test
	void bothExcludeEachOtherAndTokensRise() throws Exception {
		try (RedisServer server = RedisServer.start()) {
			String today = System.getProperty("java.class.path");
			List<ChildJvm> processes = new ArrayList<>();
			try {
				for (String classPath : List.of(today, previous(today), today)) {
					processes.add(ChildJvm.of(Node.class)
						.classPath(classPath)
						.args(server.host(), String.valueOf(server.port()), String.valueOf(ROUNDS))
						.start());
				}
				for (ChildJvm process : processes) {
					Awaitility.await()
						.atMost(Duration.ofMinutes(4))
						.until(() -> process.printed("over") || !process.isAlive());
					assertThat(process.printed("over")).as(process.output()).isTrue();
					assertThat(process.printed("VIOLATION")).as(process.output()).isFalse();
				}
				assertThat(processes.get(1).printed("from file:" + PREVIOUS)).as(processes.get(1).output()).isTrue();
			}
			finally {
				processes.forEach(ChildJvm::close);
			}
			assertThat(server.command("GET", "count")).isEqualTo(String.valueOf(processes.size() * ROUNDS));
		}
	}

	/** The other release's jars come first, so its classes are found and not ours. */
	private static String previous(String today) throws IOException {
		try (Stream<Path> files = Files.list(Path.of(PREVIOUS))) {
			List<String> jars = files.map(Path::toString).filter((name) -> name.endsWith(".jar")).sorted().toList();
			assertThat(jars).as("jars of lock-core and lock-redis in %s", PREVIOUS)
				.anyMatch((jar) -> jar.contains("lock-core"))
				.anyMatch((jar) -> jar.contains("lock-redis"));
			return Stream.concat(jars.stream(), Stream.of(today)).collect(Collectors.joining(File.pathSeparator));
		}
	}

	/** Counts under the lock, with what every release offers. */
	static final class Node {

		private Node() {
		}

		public static void main(String[] arguments) {
			LettuceConnectionFactory factory = new LettuceConnectionFactory(arguments[0],
					Integer.parseInt(arguments[1]));
			factory.afterPropertiesSet();
			factory.start();
			StringRedisTemplate redis = new StringRedisTemplate(factory);
			LockSettings settings = LockSettings.builder()
				.waitTime(Duration.ofMinutes(2))
				.commandTimeout(Duration.ofSeconds(10))
				.build();
			System.out.println("from " + LockTemplateBuilder.class.getProtectionDomain().getCodeSource().getLocation());
			try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(factory))
				.settings(settings)
				.build()) {
				awaitConnection(template);
				for (int round = Integer.parseInt(arguments[2]); round > 0; round--) {
					try (LockHandle handle = template.acquire(KEY)) {
						count(redis, handle.fencingToken());
					}
				}
			}
			System.out.println("over");
			System.exit(0);
		}

		/** In a cold JVM on a busy machine the first connection may take too long. */
		private static void awaitConnection(CloseableLockTemplate template) {
			Awaitility.await()
				.atMost(Duration.ofMinutes(3))
				.ignoreExceptionsInstanceOf(LockStoreException.class)
				.until(() -> {
					template.acquire("first").close();
					return true;
				});
		}

		/** Not atomic on purpose. */
		private static void count(StringRedisTemplate redis, long token) {
			long count = number(redis.opsForValue().get("count"));
			long last = number(redis.opsForValue().get("token"));
			if (token <= last) {
				System.out.println("VIOLATION: token " + token + " after " + last);
			}
			redis.opsForValue().set("token", String.valueOf(token));
			redis.opsForValue().set("count", String.valueOf(count + 1));
		}

		private static long number(String text) {
			return (text != null) ? Long.parseLong(text) : 0;
		}

	}

}
