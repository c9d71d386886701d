package io.distlock.reliability.failover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.distlock.LockSettings;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.reliability.Pass;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Masters hand over as Sentinel does it, without help: the former master goes on taking
 * writes for some ten seconds, until a Sentinel makes it a replica. Locks are held for 5
 * to 500 ms meanwhile, by processes with connections of their own.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class PlannedFailoverTests {

	private static final Duration PATIENCE = Connections.SENTINEL_PATIENCE;

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final List<String> KEYS = List.of("one", "two", "three", "four");

	private static final int PROCESSES = 3;

	private final RedisSentinel sentinel = RedisSentinel.builder().downAfter(Duration.ofSeconds(2)).start();

	private Duration longestPause = Duration.ZERO;

	@Test
	void joinedHoldersAreNotifiedWhenMastersHandOver() throws Exception {
		try (Rivals rivals = loop("planned failover", RedisLockStoreSettings.DEFAULTS)) {
			assertThat(rivals.tokenErrors()).isZero();
			assertThat(rivals.joined() - rivals.joinedNotified()).as("joined, not notified")
				.isLessThanOrEqualTo(1 + rivals.joined() / 10);
			assertThat(rivals.longestOverlap()).isLessThan(Duration.ofSeconds(Pass.current().of(5, 1)));
		}
	}

	@Test
	void noDoubleHoldWhenMastersHandOverWithAFailoverDelay() throws Exception {
		RedisLockStoreSettings settings = RedisLockStoreSettings.builder().failoverDelay(LEASE).build();
		try (Rivals rivals = loop("planned failover, failover delay", settings)) {
			assertThat(rivals.tokenErrors()).isZero();
			assertThat(rivals.doubleHolds()).isZero();
		}
	}

	private Rivals loop(String name, RedisLockStoreSettings settings) throws Exception {
		int rounds = Pass.current().of(1, 50);
		List<LettuceConnectionFactory> factories = IntStream.range(0, PROCESSES)
			.mapToObj((process) -> Connections.to(this.sentinel))
			.toList();
		Rivals rivals = new Rivals(factories, settings, LockSettings.builder().leaseTime(LEASE).build(), KEYS,
				PlannedFailoverTests::holdNanos);
		try (this.sentinel) {
			for (int round = 0; round < rounds; round++) {
				awaitServed(rivals);
				RedisServer former = this.sentinel.master();
				long begun = System.nanoTime();
				this.sentinel.failover();
				awaitServed(rivals);
				this.longestPause = longer(this.longestPause, Duration.ofNanos(System.nanoTime() - begun));
				if (round < rounds - 1) {
					// It drops all connections when it becomes a replica.
					await().atMost(PATIENCE).ignoreExceptions().until(() -> former.command("ROLE").startsWith("slave"));
					awaitReady();
				}
			}
			rivals.stop();
		}
		finally {
			rivals.close();
			factories.forEach(LettuceConnectionFactory::destroy);
		}
		System.out.println(name + ": " + rounds + " failovers, " + rivals + ", " + rivals.joined() + " joined, "
				+ rivals.joinedNotified() + " of them notified, two believed for at most "
				+ rivals.longestOverlap().toMillis() + " ms, all served again after at most "
				+ this.longestPause.toMillis() + " ms");
		assertThat(rivals.unnamed).isEmpty();
		assertThat(rivals.grants()).isGreaterThan(rounds * KEYS.size());
		return rivals;
	}

	/**
	 * Mostly short ones, and in one of ten cases long enough to see another one begin.
	 */
	private static long holdNanos() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return TimeUnit.MILLISECONDS.toNanos(5 + ((random.nextInt(10) == 0) ? random.nextInt(500) : 0));
	}

	private static void awaitServed(Rivals rivals) {
		long since = System.nanoTime();
		await().atMost(PATIENCE).until(() -> rivals.allServedSince(since));
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	/** Or else the Sentinel waits before it allows another failover. */
	private void awaitReady() {
		RedisServer master = this.sentinel.master();
		master.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
		await().atMost(PATIENCE)
			.ignoreExceptions()
			.until(() -> master.command("INFO", "replication").contains("state=online"));
		Connections.awaitReady(this.sentinel);
	}

}
