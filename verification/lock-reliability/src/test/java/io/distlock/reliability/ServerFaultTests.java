package io.distlock.reliability;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;

import io.distlock.reliability.rig.Board.Fact;
import io.distlock.reliability.rig.Board.Order;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.Figures;
import io.distlock.reliability.rig.Grant;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The server is killed, stopped, full, slow, forgetful. */
class ServerFaultTests {

	private static final Duration LEASE = Duration.ofMillis(1000);

	private static RedisServer redis;

	private static Cast cast;

	private static boolean forgot;

	private final Pass pass = Pass.current();

	private Figures idle;

	private int first;

	private long errorsBefore;

	@BeforeAll
	static void start() {
		redis = RedisServer.builder().args("--appendonly", "yes", "--appendfsync", "always").unprotected().start();
		cast = new Cast(redis.host(), redis.port());
		WorkerOptions lettuce = WorkerOptions.defaults();
		cast.play(1, Duration.ofMillis(2), Duration.ZERO);
		cast.add(lettuce);
		cast.add(lettuce.with("client", "jedis"));
		cast.add(lettuce.with("threads", 1));
		cast.awaitReady();
	}

	@AfterEach
	void heal() {
		redis.command("CONFIG", "SET", "maxmemory", "0");
		redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
		redis.command("CONFIG", "SET", "save", "");
		redis.command("CONFIG", "SET", "appendonly", "yes");
		cast.alive().forEach((member) -> member.stays(false));
		cast.rest();
	}

	@AfterAll
	static void stop() {
		try (RedisServer server = redis; Cast all = cast) {
			Verdict verdict = all.end();
			new Figures("server faults together", "").report(verdict.grants(), 0, verdict.violations().size(), "");
			// Each test judges its own keys; those that lose the data break what they
			// may.
			assertThat(verdict.others()).isEmpty();
			assertThat(Checker.judgeForgetful(all.all()).tokens()).isEmpty();
			assertThat(forgot || verdict.overlaps().isEmpty()).isTrue();
		}
	}

	/** T09. */
	@Test
	void workersWhenServerIsStoppedThenLossesAreToldByTheirDeadlines() {
		play("T09 server stopped for 0.1 to 2 leases", 2);
		Figures told = new Figures("T09 server stopped for 0.1 to 2 leases", "end of belief to callback");
		int rounds = this.pass.of(3, 80);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			cast.awaitOccupant(this.first).stays(true);
			Member holder = cast.awaitStaying();
			redis.pause();
			// 2.0, 0.7, 1.4, 0.1 and so on.
			Pause.of(LEASE.multipliedBy(1 + (i * 7 + 19) % 20).dividedBy(10));
			redis.resume();
			holder.stays(false);
			cast.awaitSections(10);
		}
		Verdict verdict = report(rounds);
		cast.history()
			.grants()
			.stream()
			.filter((grant) -> grant.lost() && grant.ending().lostAt() != Grant.Ending.NEVER)
			.forEach((grant) -> told.add(grant.ending().lostAt() - grant.until()));
		told.report(verdict.grants(), rounds, 0, verdict.losses() + " losses told");
		assertThat(verdict.losses()).isPositive();
		assertThat(told.millis(1)).isLessThan(100 + Pass.LOAD_MILLIS);
	}

	/** T11. */
	@Test
	void workersWhenServerIsKilledAndKeepsItsDataThenNothingIsBroken() {
		play("T11 server killed, appendfsync always", 2);
		int rounds = this.pass.of(3, 100);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			redis.kill();
			Pause.of(Duration.ofMillis(250 * (i % 5)));
			redis.restart();
			cast.awaitSections(10);
		}
		report(rounds);
	}

	/** T13. */
	@Test
	void workersWhenServerIsKilledAndLosesItsDataThenTokensStillIncrease() {
		play("T13 server killed without persistence", 2);
		int rounds = this.pass.of(2, 60);
		String directory = redis.command("CONFIG", "GET", "dir").lines().skip(1).findFirst().orElseThrow();
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			cast.awaitOccupant(this.first).stays(true);
			cast.awaitStaying();
			redis.kill();
			delete(Path.of(directory, "appendonlydir"));
			// Of Redis 6.2.
			delete(Path.of(directory, "appendonly.aof"));
			redis.restart();
			Pause.of(LEASE.dividedBy(4));
			cast.alive().forEach((member) -> member.stays(false));
			cast.awaitSections(10);
		}
		forgetful(rounds);
	}

	/** T14. */
	@Test
	void holderWhenItsLockIsDeletedThenIsTold() {
		play("T14 FLUSHALL and DEL under the holder", 1);
		Figures told = new Figures("T14 FLUSHALL and DEL under the holder", "command to callback");
		int rounds = this.pass.of(2, 60);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			cast.alive().forEach((member) -> member.stays(true));
			Member holder = cast.awaitStaying();
			long lossesBefore = lost();
			long begun = System.nanoTime();
			String answer = (i % 2 == 0) ? redis.command("FLUSHALL") : redis.command("DEL", "lk:k" + this.first);
			assertThat(answer).isIn("OK", "1");
			cast.await(() -> lost() > lossesBefore);
			told.add(System.nanoTime() - begun);
			assertThat(holder.get(Fact.INSIDE)).isPositive();
			cast.alive().forEach((member) -> member.stays(false));
			cast.awaitSections(10);
		}
		Verdict verdict = forgetful(rounds);
		told.report(verdict.grants(), rounds, 0, "");
		assertThat(told.millis(1)).isLessThan(LEASE.toMillis() / 3.0 + 100 + Pass.LOAD_MILLIS);
	}

	/** T15. */
	@Test
	void workersWhenScriptsAreFlushedAgainAndAgainThenNobodyNotices() {
		play("T15 SCRIPT FLUSH every 10 ms", 2);
		int rounds = this.pass.of(100, 6000);
		for (int i = 0; i < rounds; i++) {
			redis.command("SCRIPT", "FLUSH");
			Pause.of(Duration.ofMillis(10));
		}
		report(rounds);
		// A busy machine may have let a command time out.
		assertThat(cast.alive()).allSatisfy((member) -> assertThat(member.get(Fact.UNKNOWN_SCRIPTS)).isZero());
	}

	/** T16. */
	@Test
	void workersWhenMemoryIsFullThenLocksInUsePassOn() {
		int rounds = this.pass.of(3, 100);
		play("T16 out of memory, noeviction", 1 + rounds);
		for (int i = 0; i < rounds; i++) {
			// Nobody stays with the key of the round before.
			cast.contendFor(this.first, 1);
			cast.awaitSections(10);
			cast.alive().forEach((member) -> member.stays(true));
			cast.awaitStaying();
			// All others: of one alone, a stall could end the claim while nobody may ask.
			cast.await(() -> waiting(this.first) == cast.alive().size() - 1);
			redis.command("CONFIG", "SET", "maxmemory", "1");
			cast.alive().forEach((member) -> member.stays(false));
			// Who holds can release, who waits is served; who asks is refused.
			cast.awaitSections(2);
			int neverSeen = this.first + 1 + i;
			contendFor(neverSeen);
			long errors = cast.errors();
			cast.await(() -> cast.errors() > errors + 5);
			// At most the tombstone of a request, which is there to defeat late copies.
			assertThat(redis.command("HGET", "lk:k" + neverSeen, "o")).satisfiesAnyOf(
					(record) -> assertThat(record).isEmpty(), (record) -> assertThat(record).contains(";E;"));
			redis.command("CONFIG", "SET", "maxmemory", "0");
			cast.awaitSections(10);
		}
		report(rounds);
	}

	/** How many processes wait in the server. */
	private static long waiting(int key) {
		return redis.command("HKEYS", "lk:k" + key).lines().filter((field) -> field.startsWith("w:")).count();
	}

	private static void contendFor(int key) {
		cast.board().set(Order.KEYS, 1);
		cast.board().set(Order.FIRST_KEY, key);
	}

	/** T18. */
	@Test
	void workersWhenServerPausesItsClientsThenLossesAreTold() {
		play("T18 CLIENT PAUSE, writes or all", 2);
		int rounds = this.pass.of(2, 80);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			long millis = 100 + 400L * (i % 5);
			redis.command("CLIENT", "PAUSE", String.valueOf(millis), (i % 2 == 0) ? "WRITE" : "ALL");
			Pause.of(Duration.ofMillis(millis));
			cast.awaitSections(10);
		}
		report(rounds);
	}

	/** T19. */
	@Test
	void workersWhenServerIsBusyThenLossesAreTold() {
		play("T19 DEBUG SLEEP and a script that does not end", 2);
		redis.command("CONFIG", "SET", "lua-time-limit", "50");
		int rounds = this.pass.of(2, 80);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			if (i % 2 == 0) {
				redis.command("DEBUG", "SLEEP", String.valueOf(0.1 + 0.4 * (i % 5)));
			}
			else {
				busy(200 + 300 * (i % 4));
			}
			cast.awaitSections(10);
		}
		report(rounds);
	}

	/** T20. */
	@Test
	void workersWhenDiskIsBrokenThenErrorsAreClearAndWorkGoesOnAfterwards() {
		play("T20 MISCONF after a failed snapshot", 2);
		int rounds = this.pass.of(2, 40);
		redis.command("CONFIG", "SET", "appendonly", "no");
		String name = redis.command("CONFIG", "GET", "dbfilename").lines().skip(1).findFirst().orElseThrow();
		redis.command("CONFIG", "SET", "save", "3600 100000000");
		Path directory = Path.of(redis.command("CONFIG", "GET", "dir").lines().skip(1).findFirst().orElseThrow());
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			// A file cannot take the place of a directory.
			Path inTheWay = directory.resolve("in-the-way-" + i);
			create(inTheWay.resolve("full"));
			redis.command("CONFIG", "SET", "dbfilename", inTheWay.getFileName().toString());
			redis.command("BGSAVE");
			cast.await(() -> redis.command("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
			long errors = cast.errors();
			cast.await(() -> cast.errors() > errors);
			redis.command("CONFIG", "SET", "dbfilename", name);
			redis.command("SAVE");
			cast.awaitSections(10);
		}
		report(rounds);
	}

	/** T17: what the startup check warns of. */
	@Test
	void holderWhenItsLockIsEvictedThenIsTold() {
		play("T17 volatile-ttl and a cache in the same server", 1);
		Figures told = new Figures("T17 volatile-ttl and a cache in the same server", "eviction to callback");
		int rounds = this.pass.of(1, 20);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(10);
			cast.alive().forEach((member) -> member.stays(true));
			cast.awaitStaying();
			long lossesBefore = lost();
			redis.command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
			redis.command("CONFIG", "SET", "maxmemory", "1");
			cast.await(() -> redis.command("EXISTS", "lk:k" + this.first).equals("0"));
			long begun = System.nanoTime();
			redis.command("CONFIG", "SET", "maxmemory", "0");
			redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
			cast.await(() -> lost() > lossesBefore);
			told.add(System.nanoTime() - begun);
			cast.alive().forEach((member) -> member.stays(false));
			cast.awaitSections(10);
		}
		Verdict verdict = forgetful(rounds);
		told.report(verdict.grants(), rounds, 0, "");
		assertThat(told.millis(1)).isLessThan(LEASE.toMillis() / 3.0 + 100 + Pass.LOAD_MILLIS);
	}

	private void play(String scenario, int keys) {
		this.idle = new Figures(scenario, "");
		this.errorsBefore = cast.errors();
		this.first = cast.play(keys, Duration.ofMillis(2), Duration.ZERO);
		cast.alive().forEach((member) -> member.works(true));
		cast.awaitSections(1);
	}

	/** Mutual exclusion held. */
	private Verdict report(int faults) {
		cast.rest();
		Verdict verdict = cast.verdict();
		this.idle.report(verdict.grants(), faults, 0, verdict.losses() + " losses told, "
				+ (cast.errors() - this.errorsBefore) + " attempts failed and said so");
		return verdict;
	}

	/** The server forgot: two may believe for a while, but tokens tell who came later. */
	private Verdict forgetful(int faults) {
		forgot = true;
		cast.rest();
		Verdict verdict = Checker.judgeForgetful(cast.history());
		this.idle.report(verdict.grants(), faults, verdict.tokens().size(),
				verdict.overlaps().size() + " double holds, " + verdict.losses() + " losses and " + verdict.forgotten()
						+ " forgotten holds told");
		assertThat(verdict.tokens()).as("tokens").isEmpty();
		return verdict;
	}

	private static long lost() {
		return cast.history()
			.grants()
			.stream()
			.filter((grant) -> grant.ending().lostAt() != Grant.Ending.NEVER)
			.count();
	}

	private static void busy(int millis) {
		Thread client = new Thread(() -> {
			try {
				redis.command("EVAL", "while true do end", "0");
			}
			catch (RuntimeException ex) {
				// It is killed below.
			}
		}, "busy");
		client.start();
		Pause.of(Duration.ofMillis(millis));
		cast.await(() -> {
			try {
				return redis.command("SCRIPT", "KILL").equals("OK");
			}
			catch (IllegalStateException ex) {
				return !client.isAlive();
			}
		});
	}

	private static void create(Path file) {
		try {
			Files.createDirectories(file.getParent());
			Files.createFile(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void delete(Path directory) {
		if (!Files.exists(directory)) {
			return;
		}
		try (Stream<Path> files = Files.walk(directory)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
