package io.distlock.reliability;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

import io.distlock.reliability.rig.Board.Order;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.FaultProxy;
import io.distlock.reliability.rig.FaultProxy.Injury;
import io.distlock.reliability.rig.Figures;
import io.distlock.reliability.rig.Grant;
import io.distlock.reliability.rig.History;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The network loses, delays, repeats and cuts, between workers and a server that are
 * well.
 */
class NetworkFaultTests {

	private static final Duration POLL = Duration.ofMillis(100);

	/** A third of the lease of the workers. */
	private static final Duration CLAIM = Duration.ofMillis(333);

	private static final Duration SECTION = Duration.ofMillis(2);

	private static RedisServer redis;

	private static FaultProxy network;

	private static Cast cast;

	private final Pass pass = Pass.current();

	@BeforeAll
	static void start() {
		redis = RedisServer.start();
		network = new FaultProxy(redis.host(), redis.port());
		cast = new Cast(redis.host(), network.port());
		WorkerOptions lettuce = WorkerOptions.defaults();
		cast.play(1, SECTION, Duration.ZERO);
		cast.add(lettuce);
		cast.add(lettuce.with("client", "jedis").with("threads", 1));
		cast.add(lettuce.with("threads", 1));
		cast.awaitReady();
	}

	@AfterEach
	void heal() {
		network.heal();
		redis.command("ACL", "SETUSER", "default", "allchannels");
	}

	/** What is open at the end would be an orphan; what a worker keeps, a leak. */
	@AfterAll
	static void stop() {
		try (RedisServer server = redis; FaultProxy proxy = network; Cast all = cast) {
			Verdict verdict = all.end();
			new Figures("network faults together", "").report(verdict.grants(), 0, verdict.violations().size(), "");
			assertThat(verdict.violations()).as("violations").isEmpty();
		}
	}

	/** T21, T28. */
	@Test
	void waitersWhenConnectionsAreKilledAgainAndAgainThenNoneIsForgotten() {
		Figures idle = play("T21 CLIENT KILL normal and pubsub");
		int kills = this.pass.of(15, 1000);
		for (int i = 0; i < kills; i++) {
			redis.command("CLIENT", "KILL", "TYPE", (i % 3 == 0) ? "normal" : "pubsub");
			Pause.of(Duration.ofMillis(100));
		}
		report(idle, kills);
		assertThat(idle.millis(0.99)).isLessThan(2 * POLL.toMillis() + Pass.LOAD_MILLIS);
	}

	/** T22. */
	@Test
	void waitersWhenAllMessagesAreLostThenPollingServesThem() {
		Figures idle = play("T22 no right to any channel");
		redis.command("ACL", "SETUSER", "default", "resetchannels");
		long begun = System.nanoTime();
		for (int i = 0; i < this.pass.of(1, 50); i++) {
			cast.awaitSections(40);
		}
		long nanos = System.nanoTime() - begun;
		History history = report(idle, 1);
		// What passes on within a process needs no message.
		assertThat((double) history.grants().size()).isGreaterThan(nanos / 1e6 / (POLL.toMillis() * 2 + 100));
		assertThat(idle.millis(1)).isLessThan(POLL.toMillis() * 1.2 + Pass.LOAD_MILLIS);
	}

	/** T23. */
	@Test
	void grantsWhenTheirMessagesAreLateThenNobodyBelievesForTooLong() {
		Figures idle = play("T23 messages up to three claims late");
		int rounds = this.pass.of(6, 120);
		for (int i = 0; i < rounds; i++) {
			network.delayMessages(CLAIM.multipliedBy(i % 7).dividedBy(2));
			cast.awaitSections(20);
		}
		report(idle, rounds);
	}

	/**
	 * T24. With polls so rare, and nobody to pass on to within a process, that a missed
	 * grant is told from a busy machine.
	 */
	@Test
	void grantsWhenTheyOvertakeTheRepliesThenAreNotMissed() {
		Duration delay = Duration.ofMillis(30);
		Duration poll = Duration.ofSeconds(1);
		WorkerOptions patient = WorkerOptions.defaults()
			.with("threads", 1)
			.with("poll", poll.toMillis())
			.with("timeout", 1000)
			.with("lease", 4000);
		try (FaultProxy slow = new FaultProxy(redis.host(), redis.port());
				Cast rivals = new Cast(redis.host(), slow.port())) {
			rivals.play(1, SECTION, Duration.ZERO);
			rivals.add(patient);
			rivals.add(patient.with("client", "jedis"));
			rivals.add(patient);
			rivals.awaitReady();
			slow.delayReplies(delay);
			rivals.awaitSections(this.pass.of(60, 1500));
			slow.heal();
			rivals.rest();
			Figures idle = new Figures("T24 replies of commands 30 ms late", "lock idle between sections");
			report(idle, 1, rivals);
			// Who finds nobody waiting has two replies to wait for; who misses a grant
			// waits for a poll.
			assertThat(idle.millis(0.5)).isLessThan(poll.toMillis() / 3.0);
			assertThat(idle.millis(1)).isLessThan(delay.toMillis() + 2 * poll.toMillis() + Pass.LOAD_MILLIS);
			assertThat(rivals.end().violations()).isEmpty();
		}
	}

	/** T25. */
	@Test
	void commandsWhenRepliesAreLostThenTheirEffectIsNeitherLostNorDoubled() {
		Figures idle = play("T25 reply lost, cut in half, half-closed");
		long before = network.injured();
		int injuries = this.pass.of(24, 1500);
		for (int i = 0; i < injuries; i++) {
			network.injure(Injury.values()[i % Injury.values().length]);
			long done = before + i + 1;
			cast.await(() -> network.injured() >= done);
			cast.awaitSections(1);
		}
		report(idle, injuries);
	}

	/** T26. */
	@Test
	void commandsWhenSentOnceMoreLaterThenNobodyIsLeftBehind() {
		Figures idle = play("T26 each script sent once more, up to 1.5 s later");
		int key = (int) cast.board().get(Order.FIRST_KEY);
		long before = network.replayed();
		network.replay(Duration.ofMillis(1500));
		cast.awaitSections(this.pass.of(300, 10_000));
		cast.rest();
		// Who gave up when the lock came has to give it back first.
		cast.await(() -> redis.command("HGET", "lk:k" + key, "o").contains(";E;"));
		// The last copies arrive when nobody wants the lock any more.
		long end = System.nanoTime() + Duration.ofMillis(1600).toNanos();
		while (System.nanoTime() - end < 0) {
			assertThat(redis.command("HGET", "lk:k" + key, "o")).as("lock that nobody wants").contains(";E;");
		}
		report(idle, (int) (network.replayed() - before));
		assertThat(network.replayed() - before).isPositive();
	}

	/** Requests or replies vanish, nothing is closed. */
	@Test
	void workersWhenOneDirectionIsABlackHoleThenLossesAreToldAndWorkGoesOn() {
		Figures idle = play("T25 one direction is a black hole for 0.3 to 1.5 s");
		int rounds = this.pass.of(2, 60);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(5);
			network.drop(i % 2 == 0, i % 2 == 1);
			Pause.of(Duration.ofMillis(300 + 400 * (i % 4)));
			network.heal();
			cast.awaitSections(5);
		}
		report(idle, rounds);
	}

	/** No connection at all. */
	@Test
	void workersWhenCutOffThenLossesAreToldAndWorkGoesOn() {
		Figures idle = play("T25 cut off for 0.2 to 1.4 s");
		int rounds = this.pass.of(2, 60);
		for (int i = 0; i < rounds; i++) {
			cast.awaitSections(5);
			network.partition();
			Pause.of(Duration.ofMillis(200 + 400 * (i % 4)));
			network.heal();
			cast.awaitSections(5);
		}
		report(idle, rounds);
	}

	private static Figures play(String scenario) {
		cast.play(1, SECTION, Duration.ZERO);
		cast.alive().forEach((member) -> member.works(true));
		cast.awaitSections(1);
		return new Figures(scenario, "lock idle between sections");
	}

	/** One key and no rest: somebody always waits. */
	private static History report(Figures idle, int faults) {
		network.heal();
		redis.command("ACL", "SETUSER", "default", "allchannels");
		cast.rest();
		return report(idle, faults, cast);
	}

	private static History report(Figures idle, int faults, Cast cast) {
		History history = cast.history();
		List<Grant> grants = history.grants().stream().sorted(Comparator.comparingLong(Grant::start)).toList();
		for (int i = 1; i < grants.size(); i++) {
			idle.add(Math.max(0, grants.get(i).start() - grants.get(i - 1).until()));
		}
		Verdict verdict = cast.verdict();
		idle.report(verdict.grants(), faults, 0,
				verdict.losses() + " losses told, " + cast.errors() + " errors so far");
		return history;
	}

}
