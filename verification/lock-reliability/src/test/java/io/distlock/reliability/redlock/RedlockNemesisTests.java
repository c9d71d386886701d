package io.distlock.reliability.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.distlock.LockSettings;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStore;
import io.distlock.reliability.Pass;
import io.distlock.reliability.rig.Contest;
import io.distlock.spi.LockStore;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four processes contend for two locks on five servers, of which at any moment up to two
 * are dead, frozen, or back without their data and in quarantine.
 */
class RedlockNemesisTests {

	private static final int ACQUISITIONS = Pass.current().of(200, 5000);

	/** So few that their time is bounded. */
	private static final int STEP = 50;

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final LockSettings SETTINGS = LockSettings.builder()
		.leaseTime(LEASE)
		.commandTimeout(Duration.ofSeconds(1))
		.application("nemesis")
		.host("host")
		.build();

	private static final RedlockSettings REDLOCK = RedlockSettings.builder()
		.commandTimeout(Duration.ofSeconds(1))
		.nodeTimeout(Duration.ofMillis(300))
		.quarantine(LEASE)
		.retryInterval(Duration.ofMillis(50))
		.build();

	private final long seed = Long.getLong("reliability.seed", System.nanoTime());

	private final List<RedisServer> servers = Stream.generate(RedisServer::start).limit(5).toList();

	private final List<RedisConnections> connections = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@BeforeEach
	void start() {
		this.servers.forEach((server) -> server.command("SET", "lk:%boot", "0"));
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.servers.stream().filter(RedisServer::isRunning).forEach(RedisServer::resume);
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		this.connections.forEach(RedisConnections::close);
		this.servers.forEach(RedisServer::close);
	}

	private LockStore store() {
		RedisConnections nodes = RedisConnections.withLettuce(
				this.servers.stream().map((server) -> RedisAddress.parse(server.host() + ":" + server.port())).toList(),
				Duration.ofSeconds(1));
		this.connections.add(nodes);
		return new RedlockStore(RedlockNode.of(nodes), REDLOCK);
	}

	@Test
	@Timeout(value = 30, unit = TimeUnit.MINUTES)
	void acquireWhenUpToTwoOfFiveFailThenExclusiveAndTokensIncrease() throws InterruptedException {
		Nemesis nemesis = new Nemesis(this.servers, LEASE, this.seed);
		CompletableFuture<Void> faults = CompletableFuture.allOf(CompletableFuture.runAsync(nemesis, this.threads),
				CompletableFuture.runAsync(nemesis, this.threads));
		Contest contest = new Contest(this::store, SETTINGS);
		try (contest) {
			for (int grants = 0; grants < ACQUISITIONS; grants += STEP) {
				contest.await(grants + STEP);
			}
		}
		nemesis.stop();
		faults.join();
		System.out.printf("Redlock, seed %d: %s; %s%n", this.seed, contest, nemesis);
		assertThat(contest.violations()).as("seed " + this.seed).isEmpty();
		assertThat(nemesis.faults()).isPositive();
	}

}
