package io.distlock.reliability;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.distlock.reliability.rig.Board.Fact;
import io.distlock.reliability.rig.Board.Order;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.Figures;
import io.distlock.reliability.rig.Grant;
import io.distlock.reliability.rig.History;
import io.distlock.test.Pause;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/** Workers are killed, stopped and starved. */
@Execution(ExecutionMode.CONCURRENT)
class ProcessFaultTests {

	private static final Duration LEASE = Duration.ofMillis(1000);

	/** Of {@link #PATIENT}: 20 polls less 4, which is less than a third of its lease. */
	private static final Duration CLAIM = Duration.ofMillis(1600);

	private static final WorkerOptions LETTUCE = WorkerOptions.defaults();

	private static final WorkerOptions JEDIS = LETTUCE.with("client", "jedis");

	/** Where it is the claim that counts. */
	private static final WorkerOptions PATIENT = LETTUCE.with("lease", 6000).with("timeout", 1000);

	private final RedisServer redis = RedisServer.builder()
		.args("--appendonly", "yes", "--appendfsync", "always")
		.start();

	private final Cast cast = new Cast(this.redis.host(), this.redis.port());

	private final Pass pass = Pass.current();

	@AfterEach
	void close() {
		this.cast.close();
		this.redis.close();
	}

	/** T05. */
	@Test
	void holderWhenKilledThenNextOneComesWithinItsLease() {
		Figures recovery = new Figures("T05 holder killed", "kill to next section");
		Duration lease = Duration.ofMillis(2000);
		List<WorkerOptions> clients = List.of(LETTUCE.with("lease", 2000).with("timeout", 650),
				JEDIS.with("lease", 2000).with("timeout", 650));
		this.cast.add(clients.get(1));
		this.cast.add(clients.get(0));
		Member next = this.cast.add(clients.get(1));
		int key = this.cast.play(1, Duration.ofMillis(30), Duration.ZERO);
		this.cast.awaitReady();
		int kills = this.pass.of(2, 100);
		for (int i = 0; i < kills; i++) {
			this.cast.awaitSections(3);
			Member victim = holding(key);
			victim.kill();
			next = this.cast.add(clients.get(i % 2));
			this.cast.awaitSections(3);
		}
		assertThat(next.id()).isEqualTo(kills + 2);
		this.cast.rest();
		Verdict verdict = this.cast.end();
		History history = this.cast.all();
		// A kill between two sections costs nothing and shows nothing.
		for (Grant dead : history.grants()) {
			if (!dead.ended() && history.killed().containsKey(dead.worker())) {
				recovery.add(firstAfter(history, dead).start() - history.killed().get(dead.worker()));
			}
		}
		report(recovery, verdict, kills);
		assertThat(recovery.size()).isPositive();
		// An attempt that a busy machine lets time out is repeated from the start.
		assertThat(recovery.millis(1)).isLessThan(lease.toMillis() + 100 + Pass.LOAD_MILLIS + failures());
	}

	/** T06. */
	@Test
	void waiterWhenKilledThenItCostsOneClaimAtMost() {
		Figures gap = new Figures("T06 first waiter killed", "end of section to next section");
		Member holder = this.cast.add(PATIENT.with("threads", 1));
		Member last = this.cast.add(PATIENT.with("client", "jedis").with("threads", 1));
		this.cast.awaitReady();
		int kills = this.pass.of(2, 100);
		int grants = 0;
		for (int i = 0; i < kills; i++) {
			last.works(false);
			Member victim = this.cast
				.addResting(((i % 2 == 0) ? PATIENT : PATIENT.with("client", "jedis")).with("threads", 1));
			this.cast.awaitReady();
			this.cast.rest();
			int key = this.cast.play(1, Duration.ZERO, Duration.ZERO);
			holder.stays(true);
			holder.works(true);
			this.cast.await(() -> holder.get(Fact.INSIDE) == 1);
			queue(victim, key, 1);
			queue(last, key, 2);
			victim.kill();
			holder.works(false);
			holder.stays(false);
			this.cast.await(() -> last.get(Fact.SECTIONS) > 0 && this.cast.history().grants().size() > 1);
			this.cast.rest();
			List<Grant> both = inOrder(this.cast.history());
			gap.add(both.get(1).start() - both.get(0).ending().end());
			grants += both.size();
		}
		Verdict verdict = this.cast.end();
		report(gap, verdict, kills);
		assertThat(grants).isGreaterThanOrEqualTo(2 * kills);
		assertThat(gap.millis(1)).isLessThan(CLAIM.toMillis() + 100 + Pass.LOAD_MILLIS);
	}

	/** T07. */
	@Test
	void holderWhenStoppedForLongerThanItsLeaseThenItsBeliefIsOverAndItsWriteRefused() {
		Figures told = new Figures("T07 holder stopped for two leases", "awake to told");
		this.cast.add(LETTUCE);
		this.cast.add(JEDIS);
		this.cast.add(LETTUCE);
		int key = this.cast.play(1, Duration.ofMillis(20), Duration.ZERO);
		this.cast.awaitReady();
		int stops = this.pass.of(2, 60);
		List<Stop> all = new ArrayList<>();
		for (int i = 0; i < stops; i++) {
			this.cast.awaitSections(5);
			Member victim = holding(key);
			victim.freeze();
			Pause.of(LEASE.multipliedBy(2));
			// However slow the others are: one of them has written, with a higher token.
			this.cast.awaitSections(1);
			all.add(new Stop(victim.id(), System.nanoTime()));
			victim.thaw();
			victim.stays(false);
			this.cast.awaitSections(5);
		}
		this.cast.rest();
		Verdict verdict = this.cast.end();
		List<Grant> stopped = new ArrayList<>();
		for (Stop stop : all) {
			this.cast.all().grants().stream().filter(stop::interrupted).forEach((grant) -> {
				stopped.add(grant);
				told.add(Math.min(grant.ending().lostAt(), grant.ending().closed()) - stop.over());
			});
		}
		report(told, verdict, stops);
		assertThat(verdict.losses()).isGreaterThanOrEqualTo(told.size());
		assertThat(stopped).hasSize(stops)
			.allSatisfy((grant) -> assertThat(grant.lost()).isTrue())
			.allSatisfy((grant) -> assertThat(grant.ending().fenced()).isFalse());
	}

	/** Somebody was stopped in a section until some moment. */
	private record Stop(int worker, long over) {

		boolean interrupted(Grant grant) {
			return grant.worker() == this.worker && grant.start() < this.over && grant.ending().end() > this.over;
		}

	}

	/** T08. */
	@Test
	@Tag("ci")
	void waiterWhenStoppedWhileGrantedThenBelievesNothingThatIsOver() {
		Figures none = new Figures("T08 waiter stopped while granted", "");
		Member holder = this.cast.add(PATIENT.with("threads", 1));
		Member victim = this.cast.add(PATIENT.with("threads", 1));
		Member other = this.cast.add(PATIENT.with("client", "jedis").with("threads", 1));
		this.cast.awaitReady();
		int rounds = this.pass.of(4, 100);
		int passedOver = 0;
		for (int i = 0; i < rounds; i++) {
			this.cast.rest();
			int key = this.cast.play(1, Duration.ofMillis(50), Duration.ZERO);
			holder.stays(true);
			holder.works(true);
			this.cast.await(() -> holder.get(Fact.INSIDE) == 1);
			queue(victim, key, 1);
			queue(other, key, 2);
			long before = other.get(Fact.SECTIONS);
			victim.freeze();
			holder.works(false);
			holder.stays(false);
			// Half a claim up to three.
			Pause.of(CLAIM.dividedBy(2).plusMillis(CLAIM.toMillis() * 5 / 2 * (i % 4) / 3));
			if (i % 4 == 3) {
				// The longest is long enough, however slow the other one is.
				this.cast.await(() -> other.get(Fact.SECTIONS) > before);
			}
			victim.thaw();
			this.cast.await(() -> other.get(Fact.INSIDE) + victim.get(Fact.INSIDE) >= 1);
			this.cast.awaitSections(3);
			passedOver += (inOrder(this.cast.history()).get(1).worker() == other.id()) ? 1 : 0;
		}
		this.cast.rest();
		report(none, this.cast.end(), rounds);
		assertThat(passedOver).as("rounds in which the claim was over").isPositive();
	}

	/** T44. */
	@Test
	@Tag("ci")
	void workersWhenStarvedThenLossesAreTold() {
		Figures none = new Figures("T44 allocation storm in 64 MB", "");
		int key = this.cast.play(2, Duration.ofMillis(5), Duration.ZERO);
		for (int i = 0; i < 3; i++) {
			this.cast.add(((i == 0) ? LETTUCE : JEDIS).with("lease", 500)
				.with("timeout", 150)
				.with("jvm", "-Xmx64m")
				.with("burners", 2));
		}
		this.cast.awaitReady();
		for (int i = 0; i < this.pass.of(3, 50); i++) {
			this.cast.awaitSections(20);
		}
		assertThat(key).isZero();
		this.cast.rest();
		report(none, this.cast.end(), 6);
	}

	/** T45. */
	@Test
	void workersWhenAskedToEndThenNobodyWaitsForTheirLeases() {
		Figures end = new Figures("T45 SIGTERM while holding and waiting", "signal to exit");
		Figures next = new Figures("T45 SIGTERM while holding and waiting", "signal to next section of another");
		WorkerOptions longLease = LETTUCE.with("lease", 60_000);
		this.cast.add(JEDIS.with("lease", 60_000));
		int key = this.cast.play(1, Duration.ofMillis(20), Duration.ZERO);
		int rounds = this.pass.of(2, 50);
		for (int i = 0; i < rounds; i++) {
			Member leaving = this.cast.add((i % 2 == 0) ? longLease : longLease.with("client", "jedis"));
			this.cast.awaitReady();
			this.cast.await(() -> leaving.get(Fact.SECTIONS) > 2);
			this.cast.await(() -> this.cast.board().occupant(key) == leaving.id());
			long asked = System.nanoTime();
			leaving.terminate();
			leaving.awaitExit();
			end.add(System.nanoTime() - asked);
			this.cast.awaitSections(1);
			next.add(System.nanoTime() - asked);
		}
		this.cast.rest();
		Verdict verdict = this.cast.end();
		report(end, verdict, rounds);
		report(next, verdict, rounds);
		assertThat(end.millis(1)).isLessThan(2000 + Pass.LOAD_MILLIS);
		assertThat(next.millis(1)).isLessThan(2000 + 2 * Pass.LOAD_MILLIS);
	}

	/** T43. */
	@Test
	void holderWhenItsThreadIsDeadThenItIsNotRenewed() {
		Figures recovery = new Figures("T43 thread ends without release", "section end to next section");
		int rounds = this.pass.of(1, 30);
		Member heir = this.cast.add(LETTUCE.with("threads", 1));
		for (int i = 0; i < rounds; i++) {
			this.cast.rest();
			this.cast.play(1, Duration.ofMillis(20), Duration.ZERO);
			Member forgetful = this.cast.add(JEDIS.with("abandons", true).with("threads", 1).with("lingers", true));
			this.cast.await(() -> forgetful.get(Fact.SECTIONS) == 1);
			heir.works(true);
			this.cast.awaitSections(1);
			this.cast.rest();
			List<Grant> both = inOrder(this.cast.history());
			recovery.add(both.get(1).start() - both.get(0).ending().end());
			forgetful.kill();
		}
		report(recovery, this.cast.end(), rounds);
		assertThat(recovery.millis(1)).isLessThan(LEASE.toMillis() + 100 + Pass.LOAD_MILLIS);
	}

	/** T10. */
	@Test
	void requestWhenItsSenderIsKilledBeforeTheServerReadsItThenItWinsNothingLater() {
		Figures none = new Figures("T10 server reads the acquire of a killed process", "");
		WorkerOptions patient = LETTUCE.with("lease", 3000).with("timeout", 1000).with("threads", 1);
		Member witness = this.cast.add(patient);
		int rounds = this.pass.of(1, 40);
		int begun = 0;
		for (int i = 0; i < rounds; i++) {
			this.cast.play(2, Duration.ofMillis(5), Duration.ZERO);
			Member ghost = this.cast.add(patient);
			witness.works(true);
			this.cast.await(() -> ghost.get(Fact.SECTIONS) > 0 && witness.get(Fact.SECTIONS) > 0);
			this.cast.rest();
			int key = this.cast.play(1, Duration.ofMillis(5), Duration.ZERO);
			this.redis.pause();
			ghost.works(true);
			this.cast.await(() -> ghost.get(Fact.WAITING) > 0);
			Pause.of(Duration.ofMillis(100));
			ghost.kill();
			// Its command timeout and some slack.
			Pause.of(Duration.ofMillis(1200));
			this.redis.resume();
			assertThat(this.redis.command("HGET", "lk:k" + key, "o")).as("what the ghost left").doesNotContain(";H;");
			witness.works(true);
			this.cast.awaitSections(1);
			begun += this.cast.history().grants().isEmpty() ? 0 : 1;
		}
		this.cast.rest();
		report(none, this.cast.end(), rounds);
		assertThat(begun).isEqualTo(rounds);
	}

	/** T38. */
	@Test
	@Tag("ci")
	void loneThreadWhenFiftyOfAnotherProcessContendThenGetsItsTurn() {
		Figures wait = new Figures("T38 one thread against 50 of another process", "wait of the lone thread");
		this.cast.add(LETTUCE.with("threads", 50));
		Member lone = this.cast.add(LETTUCE.with("threads", 1));
		this.cast.play(1, Duration.ZERO, Duration.ZERO);
		this.cast.awaitReady();
		// The first one waits for its connections, too: half a second, and seconds while
		// other tests start processes.
		this.cast.await(() -> lone.get(Fact.SECTIONS) > 0);
		this.cast.play(1, Duration.ZERO, Duration.ZERO);
		long turns = lone.get(Fact.SECTIONS) + this.pass.of(50, 1000);
		this.cast.await(() -> lone.get(Fact.SECTIONS) >= turns);
		this.cast.rest();
		Verdict verdict = this.cast.end();
		this.cast.history()
			.grants()
			.stream()
			.filter((grant) -> grant.worker() == lone.id())
			.forEach((grant) -> wait.add(grant.start() - grant.asked()));
		report(wait, verdict, 0);
		assertThat(wait.millis(1)).isLessThan(1000 + Pass.LOAD_MILLIS);
	}

	/** T39. */
	@Test
	void waitersWhenTheyGiveUpAndAreInterruptedAllTheTimeThenNothingLeaks() {
		Figures none = new Figures("T39 waits of 0 to 5 ms, interrupts", "");
		WorkerOptions crowd = LETTUCE.with("threads", 25).with("interrupts", true);
		for (int i = 0; i < 4; i++) {
			// The first ones would take all time of the machine while the others start.
			this.cast.addResting((i % 2 == 0) ? crowd : crowd.with("client", "jedis"));
		}
		this.cast.board().set(Order.WAIT_MILLIS, -5);
		int key = this.cast.play(1, Duration.ofMillis(1), Duration.ZERO);
		this.cast.awaitReady();
		this.cast.alive().forEach((member) -> member.works(true));
		int refusals = this.pass.of(2000, 100_000);
		this.cast
			.await(() -> this.cast.alive().stream().mapToLong((member) -> member.get(Fact.BUSY)).sum() >= refusals);
		this.cast.rest();
		// Who gave up has its request ended afterwards, until the process is idle.
		Verdict verdict = this.cast.end();
		assertThat(Integer.parseInt(this.redis.command("HLEN", "lk:k" + key))).isLessThanOrEqualTo(8 + 4);
		assertThat(this.redis.command("HKEYS", "lk:k" + key)).doesNotContain("w:").doesNotContain("q:");
		report(none, verdict, refusals);
	}

	/** T42. */
	@Test
	@Tag("ci")
	void renewalsWhenTheyRaceWithReleasesThenReviveNothing() {
		Figures none = new Figures("T42 sections that end when their renewal is sent", "");
		WorkerOptions brief = LETTUCE.with("lease", 300).with("timeout", 100).with("threads", 4);
		this.cast.add(brief);
		this.cast.add(brief.with("client", "jedis"));
		int keys = 8;
		int first = this.cast.play(keys, Duration.ofMillis(98), Duration.ZERO);
		this.cast.awaitReady();
		int sections = this.pass.of(100, 2000);
		long goal = this.cast.sections() + sections;
		for (long done = this.cast.sections(); done < goal; done = this.cast.sections()) {
			// Renewals are sent after 97.5 to 100 ms.
			this.cast.board().set(Order.SECTION_NANOS, (96_000 + 10 * (done % 500)) * 1000);
			this.cast.awaitSections(1);
		}
		this.cast.rest();
		// Records of so short a lease expire after seconds, maybe before the workers have
		// ended.
		assertThat(records(first, keys)).isNotEmpty();
		Verdict verdict = this.cast.end();
		assertThat(records(first, keys)).allMatch((owner) -> owner.contains(";E;"));
		report(none, verdict, sections);
	}

	private Stream<String> records(int first, int keys) {
		return IntStream.range(first, first + keys)
			.mapToObj((key) -> this.redis.command("HGET", "lk:k" + key, "o"))
			.filter((owner) -> !owner.isEmpty());
	}

	/** A member that is in a section of a key, and stays there until told. */
	private Member holding(int key) {
		this.cast.awaitOccupant(key).stays(true);
		return this.cast.awaitStaying();
	}

	/**
	 * A command timeout for each attempt that failed though nobody touched the server.
	 */
	private long failures() {
		return 650 * this.cast.errors();
	}

	/** Lets one wait, and waits until the server knows. */
	private void queue(Member member, int key, int waiting) {
		member.works(true);
		this.cast.await(() -> this.redis.command("HKEYS", "lk:k" + key)
			.lines()
			.filter((field) -> field.startsWith("w:"))
			.count() == waiting);
	}

	private static List<Grant> inOrder(History history) {
		return history.grants().stream().sorted(Comparator.comparingLong(Grant::start)).toList();
	}

	private static Grant firstAfter(History history, Grant grant) {
		return history.grants()
			.stream()
			.filter((other) -> other.key() == grant.key() && other.start() > grant.start())
			.min(Comparator.comparingLong(Grant::start))
			.orElseThrow();
	}

	private static void report(Figures figures, Verdict verdict, int faults) {
		figures.report(verdict.grants(), faults, verdict.violations().size(), verdict.losses() + " losses told");
		assertThat(verdict.violations()).as("violations").isEmpty();
		assertThat(verdict.forgotten()).as("holds that the store forgot").isZero();
	}

}
