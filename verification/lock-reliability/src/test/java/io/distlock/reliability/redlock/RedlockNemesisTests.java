package io.distlock.reliability.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.RedisAddress;
import io.distlock.redis.RedisConnections;
import io.distlock.redlock.RedlockNode;
import io.distlock.redlock.RedlockSettings;
import io.distlock.redlock.RedlockStore;
import io.distlock.reliability.Pass;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Four processes contend for one lock on five servers, of which at any moment up to two
 * are dead, frozen, or back without their data and in quarantine.
 */
class RedlockNemesisTests {

	private static final int ACQUISITIONS = Pass.current().of(200, 5000);

	private static final int PROCESSES = 4;

	private static final Duration LEASE = Duration.ofSeconds(3);

	private static final LockRequest REQUEST = LockRequest.of("stock").waitAtMost(Duration.ofSeconds(30));

	private static final LockSettings SETTINGS = LockSettings.builder()
		.waitTime(Duration.ofSeconds(30))
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

	private final List<CloseableLockTemplate> processes = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Section section = new Section();

	private final AtomicInteger begun = new AtomicInteger();

	@BeforeEach
	void start() {
		this.servers.forEach((server) -> server.command("SET", "lk:%boot", "0"));
		List<RedisAddress> addresses = this.servers.stream()
			.map((server) -> RedisAddress.parse(server.host() + ":" + server.port()))
			.toList();
		for (int i = 0; i < PROCESSES; i++) {
			RedisConnections nodes = RedisConnections.withLettuce(addresses, Duration.ofSeconds(1));
			this.connections.add(nodes);
			this.processes.add(LockTemplateBuilder.forStore(new RedlockStore(RedlockNode.of(nodes), REDLOCK))
				.settings(SETTINGS)
				.build());
		}
	}

	@AfterEach
	void stop() throws InterruptedException {
		this.servers.stream().filter(RedisServer::isRunning).forEach(RedisServer::resume);
		this.threads.shutdown();
		assertThat(this.threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
		this.processes.forEach(CloseableLockTemplate::close);
		this.connections.forEach(RedisConnections::close);
		this.servers.forEach(RedisServer::close);
	}

	@Test
	@Timeout(value = 30, unit = TimeUnit.MINUTES)
	void acquireWhenUpToTwoOfFiveFailThenExclusiveAndTokensIncrease() {
		long start = System.nanoTime();
		Nemesis nemesis = new Nemesis(this.servers, LEASE, this.seed);
		CompletableFuture<Void> faults = CompletableFuture.allOf(IntStream.range(0, 2)
			.mapToObj((number) -> CompletableFuture.runAsync(nemesis, this.threads))
			.toArray(CompletableFuture[]::new));
		CompletableFuture
			.allOf(this.processes.stream()
				.map((process) -> CompletableFuture.runAsync(() -> contend(process), this.threads))
				.toArray(CompletableFuture[]::new))
			.join();
		nemesis.stop();
		faults.join();
		System.out.printf("Redlock, seed %d: %d acquisitions in %d s, %s; %s%n", this.seed, ACQUISITIONS,
				TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start), this.section, nemesis);
		assertThat(this.section.violations()).as("seed " + this.seed).isEmpty();
		assertThat(nemesis.faults()).isPositive();
	}

	private void contend(CloseableLockTemplate process) {
		while (this.begun.incrementAndGet() <= ACQUISITIONS) {
			while (!once(process)) {
				this.section.retried();
			}
		}
	}

	private boolean once(CloseableLockTemplate process) {
		try (LockHandle handle = process.acquire(REQUEST)) {
			this.section.pass(handle);
			return true;
		}
		catch (LockStoreException | LockBusyException ex) {
			return false;
		}
		catch (LockLostException ex) {
			this.section.lost();
			return true;
		}
	}

}
