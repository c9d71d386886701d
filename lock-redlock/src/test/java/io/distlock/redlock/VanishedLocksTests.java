package io.distlock.redlock;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

import ch.qos.logback.classic.Level;
import io.distlock.Holder;
import io.distlock.output.LogLines;
import io.distlock.redis.client.LossProbe;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A node whose policy was changed after the startup check, and drops locks. */
@Isolated // counts lines
class VanishedLocksTests {

	private static final Duration LEASE = Duration.ofMinutes(2);

	/** For a busy machine. */
	private static final Duration LONG = Duration.ofMinutes(1);

	private final LogLines log = LogLines.of(LossProbe.class.getName());

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	@ParameterizedTest
	@EnumSource
	void theNodeIsNamedOnceAMinuteWhileAMajorityStillHasTheLock(Client client) throws Exception {
		try (QuorumServers servers = QuorumServers.start(3, client)) {
			RedlockStore store = new RedlockStore(servers.connect(), QuorumServers.PATIENT);
			store.start("one", null);
			try {
				Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> get(store.inspect("sound")) != null);
				acquire(store, "renewed", 1);
				acquire(store, "released", 2);
				RedisServer evicting = servers.get(1);
				Awaitility.await()
					.atMost(LONG)
					.until(() -> evicting.command("EXISTS", "lk:renewed", "lk:released"), "2"::equals);
				evicting.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
				evicting.command("CONFIG", "SET", "maxmemory", "100mb");
				evicting.command("DEL", "lk:renewed", "lk:released");
				assertThat(get(store.renew(new RenewCommand("renewed", request(1), LEASE, 0))))
					.isInstanceOf(RenewResult.Renewed.class);
				Awaitility.await().atMost(LONG).until(() -> !this.log.messages(Level.WARN).isEmpty());
				assertThat(get(store.finish("released", request(2), Duration.ZERO))).isEqualTo(FinishResult.RELEASED);
				assertThat(this.log.messages(Level.WARN)).singleElement()
					.asString()
					.contains("allkeys-lru", "noeviction", String.valueOf(evicting.port()));
			}
			finally {
				store.stop();
			}
		}
	}

	private static void acquire(RedlockStore store, String key, long number) throws Exception {
		Holder holder = new Holder("app", "host", "one", "thread", "caller", Instant.EPOCH);
		assertThat(get(store.acquire(new AcquireCommand(key, request(number), LEASE, Sharing.EXCLUSIVE, false, 1,
				Duration.ofSeconds(20), holder))))
			.isInstanceOf(AcquireResult.Granted.class);
	}

	private static RequestId request(long number) {
		return RequestId.parse("one", number);
	}

	private static <T> T get(CompletionStage<T> answer) throws Exception {
		return TestThreads.get(answer.toCompletableFuture());
	}

}
