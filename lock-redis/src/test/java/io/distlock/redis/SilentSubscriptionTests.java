package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import io.distlock.output.LogLines;
import io.distlock.spi.AcquireResult;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A subscription from which nothing comes any more, and nobody says so. Messages arrive
 * again after a while, as long as somebody waits or holds, and one line tells of it.
 */
@Isolated // counts lines
@Tag("ci")
class SilentSubscriptionTests {

	/** For a busy machine; without a test of the subscription it takes for ever. */
	private static final Duration LONG = Duration.ofMinutes(2);

	/** For one message that does arrive. */
	private static final Duration SOON = Duration.ofSeconds(4);

	private final LogLines log = LogLines.of("io.distlock.redis", Level.INFO);

	@AfterEach
	void listenNoMore() {
		this.log.close();
	}

	private long lines(String beginning) {
		return this.log.events().stream().filter((event) -> event.getFormattedMessage().startsWith(beginning)).count();
	}

	@ParameterizedTest
	@EnumSource
	void handOverWhenAFirewallForgetsTheSubscriptionThenByMessageAgain(Way way) throws Exception {
		RedisServer server = SharedServers.standalone();
		try (Pipe pipe = new Pipe(server); Way.Opened connections = way.to(pipe.address())) {
			handsOverByMessageAgain(pipe, server, connections);
		}
	}

	@ParameterizedTest
	@EnumSource
	void handOverWhenAFirewallForgetsTheSubscriptionOfJedisThenByMessageAgain(PipedTopology topology) throws Exception {
		try (PipedTopology.Piped piped = topology.start(); Way.Opened connections = piped.connect()) {
			handsOverByMessageAgain(piped.pipe(), piped.server(), connections);
		}
	}

	private void handsOverByMessageAgain(Pipe pipe, RedisServer server, Way.Opened connections) throws Exception {
		try (Way.Opened direct = Way.LETTUCE.to(Client.of(server));
				StoreUnderTest holder = new StoreUnderTest(direct.factory());
				StoreUnderTest waiter = new StoreUnderTest(connections.factory())) {
			awaitMessage(holder, waiter);
			assertThat(pipe.forgetSubscriptions()).isPositive();
			awaitMessage(holder, waiter);
			assertThat(lines("Messages about locks no longer arrived")).isOne();
		}
	}

	/** The former master became a replica, and does not get the messages any more. */
	@ParameterizedTest
	@EnumSource
	void handOverWhenTheFormerMasterStaysUpDetachedThenByMessageAgain(Way way) throws Exception {
		try (RedisServer former = RedisServer.start();
				RedisServer next = RedisServer.start();
				Pipe pipe = new Pipe(former);
				Way.Opened connections = way.to(pipe.address());
				StoreUnderTest waiter = new StoreUnderTest(connections.factory());
				Way.Opened direct = Way.LETTUCE.to(Client.of(next));
				StoreUnderTest holder = new StoreUnderTest(direct.factory())) {
			awaitConnected(waiter);
			Awaitility.await().atMost(LONG).until(() -> waiter.reconnects.get() > 0);
			pipe.leadTo(next);
			former.command("REPLICAOF", "127.0.0.1", "1");
			awaitMessage(holder, waiter);
		}
	}

	@ParameterizedTest
	@EnumSource
	void handOverWhenTheRightToSubscribeIsGivenLaterThenByMessage(Way way) throws Exception {
		try (RedisServer server = RedisServer.start()) {
			server.command("ACL", "SETUSER", "late", "reset", "on", ">secret", "~*", "&*", "+@all", "-subscribe");
			RedisStandaloneConfiguration user = Client.of(server);
			user.setUsername("late");
			user.setPassword("secret");
			try (Way.Opened connections = way.to(user);
					Way.Opened direct = Way.LETTUCE.to(Client.of(server));
					StoreUnderTest holder = new StoreUnderTest(direct.factory());
					StoreUnderTest waiter = new StoreUnderTest(connections.factory())) {
				awaitConnected(waiter);
				Awaitility.await().atMost(LONG).until(() -> lines("Not allowed to subscribe") == 1);
				server.command("ACL", "SETUSER", "late", "+subscribe");
				awaitMessage(holder, waiter);
				assertThat(lines("Not allowed to subscribe")).isOne();
				assertThat(lines("Allowed to subscribe")).isOne();
			}
		}
	}

	private static void awaitConnected(StoreUnderTest store) {
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> {
			store.acquired("connected:" + UUID.randomUUID(), 1);
			return true;
		});
	}

	/** Hands locks over until a grant is pushed. */
	private static void awaitMessage(StoreUnderTest holder, StoreUnderTest waiter) {
		Awaitility.await()
			.atMost(LONG)
			.ignoreExceptionsInstanceOf(Exception.class)
			.until(() -> isPushed(holder, waiter));
	}

	private static boolean isPushed(StoreUnderTest holder, StoreUnderTest waiter) throws Exception {
		String key = "silent:" + UUID.randomUUID();
		waiter.grants.clear();
		holder.acquired(key, 1);
		assertThat(waiter.acquire(key, 1, true)).isInstanceOf(AcquireResult.Queued.class);
		holder.finish(key, 1);
		try {
			// Whoever waits polls.
			Awaitility.await().atMost(SOON).until(() -> {
				waiter.renew("poll", 1);
				return !waiter.grants.isEmpty();
			});
			return true;
		}
		catch (ConditionTimeoutException ex) {
			return false;
		}
	}

}
