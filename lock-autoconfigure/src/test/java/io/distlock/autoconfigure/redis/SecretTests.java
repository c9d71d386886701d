package io.distlock.autoconfigure.redis;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConfiguredStores;
import io.distlock.autoconfigure.LockApplications;
import io.distlock.autoconfigure.LockProperties;
import io.distlock.redis.RedisLockStore;
import io.distlock.test.redis.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/** Failures are described in detail, but never with the password. */
@ExtendWith(OutputCaptureExtension.class)
class SecretTests {

	private static final String SECRET = "correct-horse-battery";

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.distlock");

	private final List<String> seen = new ArrayList<>();

	@BeforeEach
	void logEverything() {
		this.logger.setLevel(Level.TRACE);
	}

	@AfterEach
	void logAsBefore() {
		this.logger.setLevel(null);
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void secretWhenServerIsAwayThenNotTold(String client, CapturedOutput output) {
		use(client, "spring.data.redis.url=redis://app:" + SECRET + "@127.0.0.1:1");
		assertNotTold(output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void secretWhenServerRefusesItThenNotTold(String client, CapturedOutput output) {
		try (RedisServer server = RedisServer.start()) {
			server.command("ACL", "SETUSER", "app", "reset", "on", ">another", "~*", "&*", "+@all");
			use(client, "spring.data.redis.host=" + server.host(), "spring.data.redis.port=" + server.port(),
					"spring.data.redis.username=app", "spring.data.redis.password=" + SECRET);
		}
		assertNotTold(output);
	}

	@ParameterizedTest
	@ValueSource(strings = { "lettuce", "jedis" })
	void secretWhenUserLacksRightsThenNotTold(String client, CapturedOutput output) {
		try (RedisServer server = RedisServer.start()) {
			server.command("ACL", "SETUSER", "app", "reset", "on", ">" + SECRET, "~lk:*", "&*", "+@all", "-hset",
					"-subscribe");
			String url = "spring.data.redis.url=redis://app:" + SECRET + "@" + server.host() + ":" + server.port();
			use(client, url);
			this.seen
				.add(text(catchThrowable(() -> LockApplications
					.start(Application.class, url, "spring.data.redis.client-type=" + client,
							"distributed-lock.redis.startup-check=fail", "distributed-lock.command-timeout=10s")
					.close())));
			assertThat(this.seen).anySatisfy((text) -> assertThat(text).contains("give it +hset"));
		}
		assertNotTold(output);
	}

	/** Or else the other tests prove nothing. */
	@Test
	void textHasWhatAnExceptionAndItsCausesSay() {
		assertThat(text(new IllegalStateException("a", new IllegalStateException(SECRET)))).contains(SECRET);
	}

	private void use(String client, String... properties) {
		List<String> all = new ArrayList<>(
				List.of("spring.data.redis.client-type=" + client, "distributed-lock.redis.startup-check=warn"));
		all.addAll(List.of(properties));
		try (ConfigurableApplicationContext context = LockApplications.start(Application.class,
				all.toArray(String[]::new))) {
			Throwable failure = catchThrowable(() -> context.getBean(LockTemplate.class).acquire("a"));
			assertThat(failure).isInstanceOf(LockStoreException.class);
			this.seen.add(text(failure));
			Stream
				.of(LockTemplate.class, LockSettings.class, LockProperties.class, RedisLockStore.class,
						RedisLockProperties.class, ConfiguredStores.class)
				.map((type) -> context.getBean(type).toString())
				.forEach(this.seen::add);
		}
	}

	private void assertNotTold(CapturedOutput output) {
		assertThat(output.toString()).contains("Locks are kept in").doesNotContain(SECRET);
		assertThat(this.seen).isNotEmpty().noneMatch((text) -> text.contains(SECRET));
	}

	private static String text(Throwable failure) {
		assertThat(failure).isNotNull();
		StringWriter text = new StringWriter();
		failure.printStackTrace(new PrintWriter(text, true));
		return text.toString();
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

	}

}
