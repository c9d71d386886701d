package io.distlock.reliability;

import java.time.Duration;
import java.util.List;

import io.distlock.reliability.rig.Board.Fact;
import io.distlock.reliability.rig.Board.Order;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.Figures;
import io.distlock.reliability.rig.Grant;
import io.distlock.reliability.rig.History;
import io.distlock.reliability.rig.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readers, writers and permits, while processes and the server are killed and stopped.
 */
class SharedFaultTests {

	private static final Duration LEASE = Duration.ofMillis(1000);

	/** What a machine that builds other things at the same time may take for itself. */
	private static final double LOAD_MILLIS = 3000;

	private static final int PERMITS = 3;

	private static final WorkerOptions LETTUCE = WorkerOptions.defaults().with("threads", 3);

	private static RedisServer redis;

	private final Pass pass = Pass.current();

	private Cast cast;

	private int workers;

	@BeforeAll
	static void start() {
		redis = RedisServer.builder().args("--appendonly", "yes", "--appendfsync", "always").start();
	}

	@BeforeEach
	void open() {
		redis.command("FLUSHALL");
		this.cast = new Cast(redis.host(), redis.port());
	}

	@AfterEach
	void close() {
		this.cast.close();
	}

	@AfterAll
	static void stop() {
		redis.close();
	}

	/** T46. */
	@Test
	void readersAndWritersWhenKilledAndStoppedThenNobodyReadsBesideAWriter() {
		Figures figures = new Figures("T46 readers and writers, killed and stopped", "writer asks to writes");
		int faults = play(-1);
		History history = this.cast.all();
		history.grants()
			.stream()
			.filter((grant) -> grant.sharing().isExclusive())
			.forEach((writer) -> figures.add(writer.start() - writer.asked()));
		report(figures, faults);
		assertThat(together(history, history.grants())).as("read at the same time").isGreaterThan(1);
		assertThat(figures.size()).as("writers").isPositive();
	}

	/** T47. */
	@Test
	void permitsWhenKilledAndStoppedThenThereAreNeverMoreAndTheyComeBack() {
		Figures figures = new Figures("T47 permits, killed and stopped", "kill to all permits in use");
		int faults = play(PERMITS);
		History history = this.cast.all();
		history.killed().values().forEach((death) -> figures.add(allInUse(history, death) - death));
		report(figures, faults);
		assertThat(figures.size()).isPositive();
		// An attempt that a busy machine lets time out is repeated from the start, and
		// the server was away for a while.
		assertThat(figures.millis(1)).isLessThan(2 * LEASE.toMillis() + LOAD_MILLIS + 300 * this.cast.errors());
	}

	private int play(int sharing) {
		this.cast.board().set(Order.SHARING, sharing);
		this.cast.play(1, Duration.ofMillis(5), Duration.ZERO);
		for (int i = 0; i < 3; i++) {
			add();
		}
		this.cast.awaitReady();
		this.cast.awaitSections(50);
		int rounds = this.pass.of(1, 30);
		for (int i = 0; i < rounds; i++) {
			killWorker();
			freezeWorker(i);
			restartServer(i);
		}
		this.cast.awaitReady();
		this.cast.awaitSections(100);
		return 3 * rounds;
	}

	private void add() {
		this.cast.add((this.workers++ % 2 == 0) ? LETTUCE : LETTUCE.with("client", "jedis"));
	}

	private Member inside() {
		this.cast.await(() -> this.cast.alive().stream().anyMatch(SharedFaultTests::isInside));
		return this.cast.alive()
			.stream()
			.filter(SharedFaultTests::isInside)
			.findFirst()
			.orElse(this.cast.alive().get(0));
	}

	private static boolean isInside(Member member) {
		return member.get(Fact.INSIDE) > 0;
	}

	private void killWorker() {
		Member victim = inside();
		victim.stays(true);
		this.cast.await(() -> isInside(victim));
		victim.kill();
		add();
		this.cast.awaitSections(20);
	}

	private void freezeWorker(int round) {
		Member victim = inside();
		victim.freeze();
		Pause.of(LEASE.multipliedBy(5 + (round * 7) % 15).dividedBy(10));
		victim.thaw();
		this.cast.awaitSections(20);
	}

	private void restartServer(int round) {
		redis.kill();
		Pause.of(Duration.ofMillis(100 + 250 * (round % 5)));
		redis.restart();
		this.cast.awaitSections(20);
	}

	/** The most who believed at the same moment. */
	private static long together(History history, List<Grant> among) {
		return among.stream().mapToLong((grant) -> believers(history, grant.start())).max().orElse(0);
	}

	private static long believers(History history, long moment) {
		return history.grants().stream().filter((grant) -> grant.start() <= moment && grant.until() > moment).count();
	}

	private static long allInUse(History history, long after) {
		return history.grants()
			.stream()
			.mapToLong(Grant::start)
			.filter((start) -> start > after && believers(history, start) == PERMITS)
			.min()
			.orElseThrow();
	}

	private void report(Figures figures, int faults) {
		this.cast.rest();
		Verdict verdict = this.cast.end();
		figures.report(verdict.grants(), faults, verdict.violations().size(), verdict.losses() + " losses told");
		assertThat(verdict.violations()).as("violations").isEmpty();
		assertThat(verdict.forgotten()).as("holds that the store forgot").isZero();
	}

}
