package io.distlock.reliability.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.PostgresServer;
import io.distlock.databases.ZooKeeperServer;
import io.distlock.jdbc.LockSchema;
import io.distlock.reliability.Pass;
import io.distlock.reliability.rig.Figures;
import io.distlock.test.ChildJvm;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Leaders are killed and stopped, and so are the servers. Two processes must never be
 * certain to lead at the same time. A dead leader is followed by the next one. Spring
 * Integration's initiator goes through the same and shows that the test sees two leaders.
 */
class LeaderElectionFaultTests {

	private static final Duration LEASE = Duration.ofSeconds(2);

	/** What a busy machine may take for itself. */
	private static final Duration LOAD = Duration.ofSeconds(15);

	private static final int PROCESSES = 3;

	private static final String[] DURABLE = { "--appendonly", "yes", "--appendfsync", "always" };

	private final Random random = new Random(1);

	@Test
	void redisWhenALeaderIsKilledAndAnotherFrozenThenNeverTwoLead() {
		try (RedisServer server = RedisServer.start()) {
			Consumer<Integer> nothing = (round) -> {
			};
			contest("Redis, few", "redis", address(server), 1, nothing);
		}
	}

	@Test
	@Tag("ci")
	void redisWhenServerAndProcessesFailThenNeverTwoLead() {
		try (RedisServer server = RedisServer.builder().args(DURABLE).start()) {
			contest("Redis", "redis", address(server), rounds(), (round) -> {
				if (round % 2 == 0) {
					server.pause();
					Pause.of(upTo(LEASE.multipliedBy(2)));
					server.resume();
				}
				else {
					server.kill();
					Pause.of(upTo(LEASE));
					server.restart();
				}
			});
		}
	}

	@Test
	@Tag("ci")
	void redlockWhenServersAndProcessesFailThenNeverTwoLead() {
		List<RedisServer> servers = Stream.generate(() -> RedisServer.builder().args(DURABLE).start())
			.limit(5)
			.toList();
		try {
			servers.forEach((server) -> server.command("SET", "lk:%boot", "0"));
			contest("Redlock", "redlock",
					servers.stream().map(LeaderElectionFaultTests::address).collect(Collectors.joining(",")), rounds(),
					(round) -> {
						RedisServer one = servers.get(round % 5);
						RedisServer other = servers.get((round + 2) % 5);
						one.pause();
						other.kill();
						Pause.of(upTo(LEASE.multipliedBy(2)));
						one.resume();
						other.restart();
						// It grants nothing before.
						Pause.of(LEASE);
					});
		}
		finally {
			servers.forEach(RedisServer::close);
		}
	}

	@Test
	@Tag("ci")
	void postgresWhenServerAndProcessesFailThenNeverTwoLead() {
		try (PostgresServer server = PostgresServer.start()) {
			try (HikariDataSource pool = new HikariDataSource()) {
				pool.setJdbcUrl(server.url());
				LockSchema.create(pool, "distributed_lock");
			}
			contest("PostgreSQL", "postgresql", server.url(), rounds(), (round) -> {
				if (round % 2 == 0) {
					server.signal("STOP");
					Pause.of(upTo(LEASE.multipliedBy(2)));
					server.signal("CONT");
				}
				else {
					server.kill();
					server.restart();
				}
			});
		}
	}

	@Test
	@Tag("ci")
	void zooKeeperWhenServerAndProcessesFailThenNeverTwoLead() {
		try (ZooKeeperServer server = ZooKeeperServer.start(LEASE.dividedBy(4))) {
			contest("ZooKeeper", "zookeeper", server.address(), rounds(), (round) -> {
				server.stop();
				Pause.of(upTo(LEASE));
				server.restart();
			});
		}
	}

	/** The control: a flag that is not compared with the clock. */
	@Test
	@Tag("ci")
	void initiatorOfSpringIntegrationWhenItsLeaderIsFrozenThenTwoLead() throws Exception {
		// After a stall the leader may look at its lock before it looks at itself.
		Standstill.repeat(LeaderElectionFaultTests::freezeLeaderOfSpringIntegration);
	}

	private static void freezeLeaderOfSpringIntegration() {
		try (RedisServer server = RedisServer.start();
				Candidates candidates = new Candidates("initiator", "redis", address(server), LEASE)) {
			start(candidates);
			freeze(candidates);
			List<String> overlaps = candidates.overlaps();
			new Figures("leaders, Spring Integration on Redis", "").report(candidates.leaderships().size(), 1,
					overlaps.size(), overlaps.toString());
			assertThat(overlaps).as("what the test must see").isNotEmpty();
		}
	}

	private void contest(String name, String store, String address, int rounds, Consumer<Integer> serverFault) {
		Figures followed = new Figures("leaders, " + name, "kill to next leader");
		try (Candidates candidates = new Candidates("election", store, address, LEASE)) {
			start(candidates);
			List<Long> recoveries = new ArrayList<>();
			for (int round = 0; round < rounds; round++) {
				recoveries.add(kill(candidates));
				freeze(candidates);
				serverFault.accept(round);
				candidates.awaitAnyLeader();
			}
			recoveries.forEach(followed::add);
			List<Candidates.Leadership> all = candidates.leaderships();
			List<String> overlaps = candidates.overlaps();
			followed.report(all.size(), 3 * rounds, overlaps.size(), overlaps.toString());
			assertThat(overlaps).as("two leaders").isEmpty();
			assertThat(all.stream()
				.sorted(Comparator.comparingLong(Candidates.Leadership::since))
				.mapToLong(Candidates.Leadership::token)).as("tokens in the order of the leaderships")
				.isSorted()
				.doesNotHaveDuplicates();
			assertThat(recoveries)
				.allSatisfy((nanos) -> assertThat(Duration.ofNanos(nanos)).isLessThan(LEASE.plus(LOAD)));
		}
	}

	private static void start(Candidates candidates) {
		for (int i = 0; i < PROCESSES; i++) {
			candidates.start();
		}
		candidates.awaitAnyLeader();
	}

	/** Kills the leader, and returns how long nobody was certain to lead. */
	private static long kill(Candidates candidates) {
		ChildJvm leader = candidates.leader();
		long killed = System.nanoTime();
		leader.kill();
		long since = candidates.awaitLeader(killed).since();
		candidates.start();
		return since - killed;
	}

	/** Stops the leader between two instructions until another one leads. */
	private static void freeze(Candidates candidates) {
		ChildJvm leader = candidates.leader();
		long frozen = System.nanoTime();
		leader.signal("STOP");
		Pause.of(LEASE);
		candidates.awaitLeader(frozen);
		leader.signal("CONT");
		// It looks at itself, and so do the others.
		Pause.of(LEASE.dividedBy(4));
		candidates.awaitAnyLeader();
	}

	private Duration upTo(Duration most) {
		return Duration.ofMillis(100 + this.random.nextInt((int) most.toMillis()));
	}

	private static int rounds() {
		return Pass.current().of(2, 20);
	}

	private static String address(RedisServer server) {
		return server.host() + ":" + server.port();
	}

}
