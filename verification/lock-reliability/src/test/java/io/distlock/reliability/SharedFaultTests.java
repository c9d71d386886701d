package io.distlock.reliability;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.distlock.reliability.rig.Board.Fact;
import io.distlock.reliability.rig.Board.Order;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.Figures;
import io.distlock.reliability.rig.Grant;
import io.distlock.reliability.rig.History;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.spi.Sharing;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Readers, writers and permits, while processes and the server are killed and stopped.
 */
class SharedFaultTests {

	private static final Duration LEASE = Duration.ofMillis(1000);

	private static final int PERMITS = 3;

	private static final WorkerOptions LETTUCE = WorkerOptions.defaults().with("threads", 3);

	private final Pass pass = Pass.current();

	private RedisServer redis;

	private Cast cast;

	private int shop;

	private int gate;

	private int workers;

	/** When workers with permits were killed while all others asked for permits. */
	private final List<Long> missed = new ArrayList<>();

	@BeforeEach
	void open() {
		this.redis = RedisServer.builder().args("--appendonly", "yes", "--appendfsync", "always").start();
		this.cast = new Cast(this.redis.host(), this.redis.port());
	}

	@AfterEach
	void close() {
		this.cast.close();
		this.redis.close();
	}

	/** One lock to read and write, and one semaphore. */
	@Test
	void readersAndPermitsWhenKilledAndStoppedThenNoMoreBelieveThanMay() {
		this.cast.board().set(Order.PERMITS, PERMITS);
		this.shop = this.cast.play(2, Duration.ofMillis(5), Duration.ZERO);
		this.gate = this.shop + 1;
		for (int i = 0; i < 3; i++) {
			add();
		}
		this.cast.awaitReady();
		int rounds = this.pass.of(1, 30);
		for (int i = 0; i < rounds; i++) {
			this.cast.contendFor(this.shop, 2);
			freezeWorker(i);
			restartServer(i);
			killOneIn(this.shop);
			// What is frozen, or gone with the server, is back before a permit is missed.
			Pause.of(LEASE);
			this.cast.awaitReady();
			this.cast.contendFor(this.gate, 1);
			this.missed.add(killOneIn(this.gate));
			Pause.of(LEASE);
		}
		this.cast.awaitReady();
		this.cast.awaitSections(30);
		this.cast.rest();
		Verdict verdict = this.cast.end();
		History history = this.cast.all();
		reportReaders(history.of(this.shop, 1), 4 * rounds);
		reportPermits(history.of(this.gate, 1), 4 * rounds);
		assertThat(verdict.violations()).as("violations").isEmpty();
		assertThat(verdict.forgotten()).as("holds that the store forgot").isZero();
	}

	private void add() {
		this.cast.add((this.workers++ % 2 == 0) ? LETTUCE : LETTUCE.with("client", "jedis"));
	}

	private long killOneIn(int key) {
		this.cast.awaitSections(10);
		Member victim = this.cast.awaitOccupant(key);
		victim.stays(true);
		this.cast.await(() -> victim.get(Fact.INSIDE) > 0);
		long death = victim.kill();
		add();
		this.cast.awaitSections(10);
		return death;
	}

	private void freezeWorker(int round) {
		Member victim = this.cast.alive().get(round % this.cast.alive().size());
		victim.freeze();
		Pause.of(LEASE.multipliedBy(5 + (round * 7) % 15).dividedBy(10));
		victim.thaw();
		this.cast.awaitSections(10);
	}

	private void restartServer(int round) {
		this.redis.kill();
		Pause.of(Duration.ofMillis(100 + 250 * (round % 5)));
		this.redis.restart();
		this.cast.awaitSections(10);
	}

	private static void reportReaders(History history, int faults) {
		Figures figures = new Figures("S1 readers and writers", "writer asks to writes");
		history.grants()
			.stream()
			.filter((grant) -> grant.sharing() instanceof Sharing.Exclusive)
			.forEach((writer) -> figures.add(writer.start() - writer.asked()));
		report(figures, history, faults);
		assertThat(figures.size()).as("writers").isPositive();
		long together = history.grants()
			.stream()
			.mapToLong((grant) -> believers(history, grant.start()))
			.max()
			.orElse(0);
		assertThat(together).as("read at the same time").isGreaterThan(1);
	}

	private void reportPermits(History history, int faults) {
		Figures figures = new Figures("S2 permits", "kill to all permits in use");
		this.missed.forEach((death) -> figures.add(allInUse(history, death) - death));
		report(figures, history, faults);
		// An attempt that a busy machine lets time out is repeated from the start.
		assertThat(figures.millis(1)).isLessThan(LEASE.toMillis() + 100 + Pass.LOAD_MILLIS + 300 * this.cast.errors());
	}

	private static long believers(History history, long moment) {
		return history.grants().stream().filter((grant) -> grant.start() <= moment && grant.until() > moment).count();
	}

	private static long allInUse(History history, long after) {
		return history.grants()
			.stream()
			.mapToLong(Grant::start)
			.filter((start) -> start > after)
			.sorted()
			.filter((start) -> believers(history, start) == PERMITS)
			.findFirst()
			.orElseThrow();
	}

	private static void report(Figures figures, History history, int faults) {
		Verdict verdict = Checker.judge(history);
		figures.report(verdict.grants(), faults, verdict.violations().size(), verdict.losses() + " losses told");
	}

}
