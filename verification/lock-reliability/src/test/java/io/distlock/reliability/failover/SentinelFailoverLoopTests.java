package io.distlock.reliability.failover;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.redis.RedisLockStoreSettings;
import io.distlock.reliability.Pass;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Masters die or hand over, again and again, while locks are held and wanted. */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
@Tag("ci")
class SentinelFailoverLoopTests {

	private static final Duration PATIENCE = Connections.SENTINEL_PATIENCE;

	private static final Pattern SCRIPTS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+),.*failed_calls=(\\d+)");

	private static final List<String> KEYS = List.of("one", "two", "three");

	private final RedisSentinel sentinel = RedisSentinel.builder().downAfter(Duration.ofMillis(600)).start();

	private int lostWrites;

	/** Double holds of rounds without as many lost writes, and without two masters. */
	private int unexplained;

	private int twoMasters;

	private Duration slowestRecovery = Duration.ZERO;

	@Test
	void tokensRiseAndDoubleHoldsAreExplainedWhenMastersAreKilled() throws Exception {
		loop("Sentinel, kill -9", RedisLockStoreSettings.DEFAULTS, Pass.current().of(2, 50), this::kill, (rivals) -> {
			// One that starts again is a master until it is told otherwise.
			assertThat(this.unexplained).isZero();
		});
	}

	@Test
	void tokensRiseWhenMastersHandOver() throws Exception {
		loop("Sentinel, SENTINEL FAILOVER", RedisLockStoreSettings.DEFAULTS, Pass.current().of(2, 50), this::handOver,
				(rivals) -> {
				});
	}

	private interface Fault {

		void run(Rivals rivals, RedisServer former);

	}

	private interface Check {

		void run(Rivals rivals);

	}

	private void loop(String name, RedisLockStoreSettings settings, int rounds, Fault fault, Check check)
			throws Exception {
		LettuceConnectionFactory factory = Connections.to(this.sentinel);
		try (this.sentinel; Rivals rivals = new Rivals(factory, settings, Rivals.FAST, 3, KEYS)) {
			int keptOver = 0;
			for (int round = 0; round < rounds; round++) {
				awaitServed(rivals, System.nanoTime());
				LockHandle before = acquire(rivals, round, LockRequest.of("before"));
				RedisServer former = this.sentinel.master();
				int doubleHolds = rivals.doubleHolds() - this.lostWrites;
				fault.run(rivals, former);
				this.slowestRecovery = max(this.slowestRecovery, awaitServed(rivals, System.nanoTime()));
				keptOver += before.isHeld() ? 1 : 0;
				long token = assertNextTokenIsHigher(rivals, before, round);
				assertThat(token).isGreaterThan(before.fencingToken());
				boolean also = servedLocks(former);
				this.twoMasters += also ? 1 : 0;
				this.unexplained += also ? 0 : Math.max(0, rivals.doubleHolds() - this.lostWrites - doubleHolds);
				reunite();
			}
			rivals.stop();
			System.out.println(name + ": " + rounds + " failovers, " + rivals + ", " + this.lostWrites
					+ " lost writes of held locks, " + this.twoMasters + " times two masters, " + keptOver + " of "
					+ rounds + " held over, recovery <= " + this.slowestRecovery.toMillis() + " ms");
			assertThat(rivals.unnamed).isEmpty();
			assertThat(rivals.tokenErrors()).isZero();
			assertThat(rivals.grants()).isGreaterThan(rounds * KEYS.size());
			check.run(rivals);
		}
		finally {
			factory.destroy();
		}
	}

	/** Whether scripts were run to their end, since the server was started. */
	private static boolean servedLocks(RedisServer server) {
		Matcher script = SCRIPTS.matcher(server.command("INFO", "commandstats"));
		boolean served = false;
		while (script.find()) {
			served |= Long.parseLong(script.group(1)) > Long.parseLong(script.group(2));
		}
		return served;
	}

	private static Duration max(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static Duration awaitServed(Rivals rivals, long since) {
		await().atMost(PATIENCE).until(() -> rivals.allServedSince(since));
		return Duration.ofNanos(System.nanoTime() - since);
	}

	private static long assertNextTokenIsHigher(Rivals rivals, LockHandle before, int round) {
		try {
			before.close();
		}
		catch (RuntimeException ex) {
			// Lost, or given back to a server that is not asked any more.
		}
		LockRequest request = LockRequest.of("before").waitAtMost(Duration.ofSeconds(30));
		try (LockHandle next = acquire(rivals, round + 1, request)) {
			return next.fencingToken();
		}
	}

	/** A busy machine may leave a command without an answer in time. */
	private static LockHandle acquire(Rivals rivals, int round, LockRequest request) {
		long end = System.nanoTime() + PATIENCE.toNanos();
		while (true) {
			try {
				return rivals.templates().get(round % 3).acquire(request);
			}
			catch (LockStoreException ex) {
				if (System.nanoTime() - end > 0) {
					throw ex;
				}
			}
		}
	}

	/** What was believed at the end and is not known to the successor was lost by it. */
	private void kill(Rivals rivals, RedisServer former) {
		former.kill();
		List<LockHandle> believed = rivals.ledgers().stream().flatMap((ledger) -> ledger.believers().stream()).toList();
		this.sentinel.awaitOtherMasterThan(former);
		RedisServer successor = this.sentinel.master();
		for (LockHandle handle : believed) {
			if (!Rivals.knows(successor, handle)) {
				this.lostWrites++;
			}
		}
		former.restart();
	}

	/**
	 * The former master takes writes for a second more; Sentinel alone would let it ten.
	 */
	private void handOver(Rivals rivals, RedisServer former) {
		this.sentinel.failover();
		long promoted = System.nanoTime();
		await().atMost(PATIENCE).until(() -> System.nanoTime() - promoted > TimeUnit.SECONDS.toNanos(1));
		RedisServer successor = this.sentinel.master();
		former.command("REPLICAOF", successor.host(), String.valueOf(successor.port()));
	}

	/** Whichever is the master by then: a busy machine may have had another failover. */
	private void reunite() {
		await().atMost(PATIENCE).until(() -> {
			RedisServer master = this.sentinel.master();
			this.sentinel.replica().command("REPLICAOF", master.host(), String.valueOf(master.port()));
			master.command("CONFIG", "SET", "repl-diskless-sync-delay", "0");
			return master.command("INFO", "replication").contains("state=online");
		});
		Connections.awaitReady(this.sentinel);
	}

}
