package io.distlock.redis;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.output.LogLines;
import io.distlock.test.Standstill;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A night without Redis fills no log, however many locks are held and asked for. */
@Isolated // counts lines
@Tag("ci")
class OutageLogTests {

	private static final int HELD = 20;

	/**
	 * Each takes the command timeout of a second; meanwhile all locks are to be renewed.
	 */
	private static final int CALLS = 6;

	private static final Duration LEASE = Duration.ofSeconds(15);

	private static final LockRequest TRY = LockRequest.of("outage:other").waitAtMost(Duration.ofMillis(100));

	@ParameterizedTest
	@MethodSource("io.distlock.redis.Client#tested")
	void outageWhenServerHangsThenOneLineAtItsBeginAndOneAtItsEnd(Client client) throws Exception {
		// A JVM that stands still for the command timeout sees one more outage.
		Standstill.repeat(() -> outageHasOneLineAtItsBeginAndOneAtItsEnd(client));
	}

	private static void outageHasOneLineAtItsBeginAndOneAtItsEnd(Client client) throws Exception {
		try (RedisServer server = RedisServer.start()) {
			RedisConnectionFactory factory = client.connect(server);
			try (CloseableLockTemplate template = LockTemplateBuilder
				.forStore(new RedisLockStore(factory, RedisLockStoreSettings.builder().build()))
				.settings(LockSettings.builder().leaseTime(LEASE).build())
				.build()) {
				TemplatesUnderTest.awaitWorking(template, "outage:first");
				List<LockHandle> held = IntStream.range(0, HELD)
					.mapToObj((i) -> TemplatesUnderTest.acquired(() -> template.acquire("outage:" + i)))
					.toList();
				try (LogLines log = LogLines.of("io.distlock", Level.INFO)) {
					server.pause();
					for (int i = 0; i < CALLS; i++) {
						assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> template.acquire(TRY));
					}
					server.resume();
					TemplatesUnderTest.awaitWorking(template, "outage:first");
					// Lines are written by a thread that sends no commands.
					Awaitility.await().untilAsserted(() -> assertThat(lines(log, "answers again")).hasSize(1));
					assertThat(lines(log, "does not answer")).hasSize(1);
					assertThat(lines(log, "")).hasSizeLessThanOrEqualTo(4);
				}
				held.forEach(LockHandle::close);
			}
			finally {
				Client.close(factory);
			}
		}
	}

	private static List<String> lines(LogLines log, String part) {
		return log.messages(Level.INFO)
			.stream()
			.filter((line) -> line.startsWith("The store") || line.contains("'outage:"))
			.filter((line) -> line.contains(part))
			.toList();
	}

}
