package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Each new connection answers late, for instance because the login is slow. It is used
 * nevertheless; while it opens, calls fail. The pool of an application opens connections
 * within its own timeouts, which are five seconds here.
 */
@Tag("ci")
@Execution(ExecutionMode.CONCURRENT)
class SlowOpeningTests {

	private static final RedisServer SERVER = SharedServers.standalone();

	/** For a busy machine; the connections before were thrown away for ever. */
	private static final Duration LONG = Duration.ofSeconds(90);

	@ParameterizedTest
	@CsvSource({ "LETTUCE, 4", "LETTUCE, 7", "JEDIS, 4", "OWN_JEDIS, 4", "OWN_JEDIS, 7", "NODE_OF_JEDIS, 4",
			"NODE_OF_JEDIS, 7" })
	void acquireWhenConnectionsOpenSlowlyThenWorksAtStartAndAfterTheyBreak(Way way, int seconds) throws Exception {
		try (Pipe pipe = new Pipe(SERVER); Way.Opened connections = way.to(pipe.address())) {
			pipe.delayNew(Duration.ofSeconds(seconds));
			worksAtStartAndAfterACut(connections, pipe);
		}
	}

	/** A Sentinel tells Jedis where to connect. */
	@ParameterizedTest
	@ValueSource(ints = { 4, 7 })
	void acquireWhenConnectionsToTheMasterOpenSlowlyThenWorksAtStartAndAfterTheyBreak(int seconds) throws Exception {
		try (PipedTopology.Piped piped = PipedTopology.SENTINEL.start()) {
			piped.pipe().delayNew(Duration.ofSeconds(seconds));
			try (Way.Opened connections = piped.connect()) {
				worksAtStartAndAfterACut(connections, piped.pipe());
			}
		}
	}

	private static void worksAtStartAndAfterACut(Way.Opened connections, Pipe pipe) {
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(connections.factory()))
			.build()) {
			works(template);
			pipe.cut();
			works(template);
		}
	}

	private static void works(CloseableLockTemplate template) {
		LockRequest request = LockRequest.of("slow:" + UUID.randomUUID());
		await().atMost(LONG).ignoreExceptionsInstanceOf(LockStoreException.class).untilAsserted(() -> {
			template.acquire(request).close();
			try (LockHandle again = template.acquire(request)) {
				assertThat(again.isHeld()).isTrue();
			}
		});
	}

}
