package io.distlock.redis;

import ch.qos.logback.classic.Level;
import io.distlock.output.LogLines;
import io.distlock.redis.client.LossProbe;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RenewResult;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A server whose policy was changed after the startup check, and drops locks. */
@Isolated // counts lines
class LossProbeTests {

	private final LogLines log = LogLines.of(LossProbe.class.getName());

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	@ParameterizedTest
	@EnumSource
	void locksThatVanishThenThePolicyIsNamedOnceAMinute(Way way) throws Exception {
		try (RedisServer server = RedisServer.start();
				Way.Opened connections = way.to(Client.of(server));
				StoreUnderTest store = new StoreUnderTest(connections.factory())) {
			store.acquired("renewed", 1);
			store.acquired("released", 2);
			store.acquired("sound", 3);
			server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
			server.command("CONFIG", "SET", "maxmemory", "100mb");
			assertThat(store.finish("sound", 3)).isEqualTo(FinishResult.RELEASED);
			assertThat(this.log.messages(Level.WARN)).isEmpty();
			server.command("DEL", "lk:renewed", "lk:released");
			assertThat(store.renew("renewed", 1)).isInstanceOf(RenewResult.Gone.class);
			Awaitility.await().until(() -> !this.log.messages(Level.WARN).isEmpty());
			assertThat(store.finish("released", 2)).isEqualTo(FinishResult.UNKNOWN);
			assertThat(this.log.messages(Level.WARN)).singleElement()
				.asString()
				.contains("allkeys-lru", "noeviction", String.valueOf(server.port()));
		}
	}

	@ParameterizedTest
	@EnumSource
	void aLockThatVanishesAtItsReleaseThenThePolicyIsNamed(Way way) throws Exception {
		try (RedisServer server = RedisServer.start();
				Way.Opened connections = way.to(Client.of(server));
				StoreUnderTest store = new StoreUnderTest(connections.factory())) {
			store.acquired("released", 2);
			server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
			server.command("CONFIG", "SET", "maxmemory", "100mb");
			server.command("DEL", "lk:released");
			assertThat(store.finish("released", 2)).isEqualTo(FinishResult.UNKNOWN);
			Awaitility.await().until(() -> this.log.messages(Level.WARN).size() == 1);
		}
	}

}
