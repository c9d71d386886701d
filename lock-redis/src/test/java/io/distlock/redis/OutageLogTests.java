package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A night without Redis fills no log, however many locks are held and asked for. */
class OutageLogTests {

	private static final int HELD = 20;

	/**
	 * Each takes the command timeout of a second; meanwhile all locks are to be renewed.
	 */
	private static final int CALLS = 4;

	private static final Duration LEASE = Duration.ofSeconds(9);

	private static final LockRequest TRY = LockRequest.of("outage:other").waitAtMost(Duration.ofMillis(100));

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.distlock");

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void capture() {
		this.logger.setLevel(Level.INFO);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void release() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@ParameterizedTest
	@EnumSource(Client.class)
	void outageWhenServerHangsThenOneLineAtItsBeginAndOneAtItsEnd(Client client) throws Exception {
		try (RedisServer server = RedisServer.start()) {
			RedisConnectionFactory factory = client.connect(server);
			try (CloseableLockTemplate template = LockTemplateBuilder
				.forStore(new RedisLockStore(factory, RedisLockStoreSettings.builder().build()))
				.settings(LockSettings.builder().leaseTime(LEASE).build())
				.build()) {
				TemplatesUnderTest.awaitWorking(template, "outage:first");
				List<LockHandle> held = IntStream.range(0, HELD)
					.mapToObj((i) -> template.acquire("outage:" + i))
					.toList();
				this.log.list.clear();
				server.pause();
				for (int i = 0; i < CALLS; i++) {
					assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> template.acquire(TRY));
				}
				server.resume();
				TemplatesUnderTest.awaitWorking(template, "outage:first");
				// Lines are written by a thread that sends no commands.
				Awaitility.await().untilAsserted(() -> assertThat(lines("answers again")).hasSize(1));
				assertThat(lines("does not answer")).hasSize(1);
				assertThat(lines("")).as("%s", lines("")).hasSizeLessThanOrEqualTo(4);
				held.forEach(LockHandle::close);
			}
			finally {
				Client.close(factory);
			}
		}
	}

	private List<String> lines(String part) {
		return new ArrayList<>(this.log.list).stream()
			.filter((event) -> event.getLevel().isGreaterOrEqual(Level.INFO))
			.map(ILoggingEvent::getFormattedMessage)
			.filter((line) -> line.startsWith("The store") || line.contains("'outage:"))
			.filter((line) -> line.contains(part))
			.toList();
	}

}
