package io.distlock.reliability.database;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import io.distlock.databases.DatabaseServer;
import io.distlock.databases.MariaDbServer;
import io.distlock.databases.MySqlServer;
import io.distlock.databases.NeedsMariaDb;
import io.distlock.databases.NeedsMySql;
import io.distlock.databases.PostgresServer;
import io.distlock.jdbc.LockSchema;
import io.distlock.reliability.rig.Board.Fact;
import io.distlock.reliability.rig.Cast;
import io.distlock.reliability.rig.Cast.Member;
import io.distlock.reliability.rig.Checker.Verdict;
import io.distlock.reliability.rig.Figures;
import io.distlock.reliability.rig.WorkerOptions;
import io.distlock.test.Pause;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Processes on a database that are stopped and killed, whose server is stopped, or whose
 * clocks are wrong. In the full pass.
 */
@Tag("full")
class DatabaseProcessFaultTests {

	private static final int ACQUISITIONS = 3000;

	private static final int FAULTS = 25;

	private static final Duration LEASE = Duration.ofSeconds(1);

	private static final WorkerOptions WORKER = WorkerOptions.defaults();

	private static final Duration HOUR = Duration.ofHours(1);

	@FunctionalInterface
	private interface Fault {

		void happen(Cast cast, DatabaseServer server);

	}

	private static Verdict contest(String name, Supplier<DatabaseServer> start, int faults, List<WorkerOptions> workers,
			Fault fault) {
		try (DatabaseServer server = start.get(); Cast cast = new Cast("none", 0)) {
			createTable(server);
			workers.forEach((worker) -> cast.add(worker.with("url", server.url())));
			cast.play(2, Duration.ofMillis(2), Duration.ZERO);
			cast.awaitReady();
			int happened = 0;
			for (; happened < faults || cast.sections() < ACQUISITIONS; happened++) {
				cast.awaitSections(ACQUISITIONS / FAULTS);
				fault.happen(cast, server);
			}
			cast.awaitSections(20);
			cast.rest();
			Verdict verdict = cast.end();
			new Figures(name + ", " + server.url().split(":")[1], "").report(verdict.grants(), happened,
					verdict.violations().size(),
					verdict.overlaps().size() + " overlaps, " + verdict.tokens().size() + " token errors, "
							+ verdict.losses() + " losses reported, " + cast.errors() + " attempts failed");
			assertThat(verdict.violations()).as("violations").isEmpty();
			assertThat(verdict.forgotten()).as("holds that the store forgot").isZero();
			return verdict;
		}
	}

	/** A process that is in a section, and stays there until told. */
	private static Member holding(Cast cast) {
		int key = ThreadLocalRandom.current().nextInt(2);
		Member holder = cast.awaitOccupant(key);
		holder.stays(true);
		cast.await(() -> cast.board().occupant(key) == holder.id() && holder.get(Fact.INSIDE) > 0);
		return holder;
	}

	private static void createTable(DatabaseServer server) {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(server.url());
			LockSchema.create(pool, "distributed_lock");
		}
	}

	private static Member anybody(Cast cast) {
		List<Member> alive = cast.alive();
		return alive.get(ThreadLocalRandom.current().nextInt(alive.size()));
	}

	private static boolean isOff(Member member) {
		long off = Math.abs(System.currentTimeMillis() - member.get(Fact.CLOCK));
		return off > HOUR.dividedBy(2).toMillis();
	}

	/** The clock of a JVM can only be set by a library of C. */
	private static String wrongClock(Path directory) throws IOException, InterruptedException {
		Path source = directory.resolve("wrong-clock.c");
		Path library = directory.resolve("wrong-clock.so");
		try (InputStream text = DatabaseProcessFaultTests.class.getResourceAsStream("wrong-clock.c")) {
			Files.copy(text, source);
		}
		Process compiler = new ProcessBuilder("cc", "-shared", "-fPIC", "-o", library.toString(), source.toString(),
				"-ldl")
			.inheritIO()
			.start();
		assertThat(compiler.waitFor()).as("a compiler of C is needed").isZero();
		return library.toString();
	}

	@Nested
	class OnPostgres extends AbstractFaults {

		OnPostgres() {
			super(PostgresServer::start);
		}

	}

	@Nested
	@NeedsMariaDb
	class OnMariaDb extends AbstractFaults {

		OnMariaDb() {
			super(MariaDbServer::start);
		}

	}

	@Nested
	@NeedsMySql
	class OnMySql extends AbstractFaults {

		OnMySql() {
			super(MySqlServer::start);
		}

	}

	abstract static class AbstractFaults {

		private final Supplier<DatabaseServer> start;

		AbstractFaults(Supplier<DatabaseServer> start) {
			this.start = start;
		}

		@Test
		void processesAreStoppedForLongerThanTheirLease() {
			Verdict verdict = contest("processes stopped", this.start, FAULTS, Collections.nCopies(3, WORKER),
					(cast, server) -> {
						Member victim = holding(cast);
						victim.freeze();
						Pause.of(LEASE.multipliedBy(3).dividedBy(2));
						victim.thaw();
						victim.stays(false);
					});
			assertThat(verdict.losses()).as("holders that were stopped").isGreaterThanOrEqualTo(FAULTS / 2);
		}

		@Test
		void serverIsStopped() {
			contest("server stopped", this.start, FAULTS, Collections.nCopies(3, WORKER), (cast, server) -> {
				server.signal("STOP");
				Pause.of(Duration.ofMillis(ThreadLocalRandom.current().nextLong(100, 2 * LEASE.toMillis())));
				server.signal("CONT");
			});
		}

		/** Every other one while it holds a lock, the others whatever they do. */
		@Test
		void processesAreKilled() {
			AtomicInteger kills = new AtomicInteger();
			contest("processes killed", this.start, FAULTS, Collections.nCopies(3, WORKER), (cast, server) -> {
				Member victim = (kills.getAndIncrement() % 2 == 0) ? holding(cast) : anybody(cast);
				victim.kill();
				cast.add(WORKER.with("url", server.url()));
				cast.awaitReady();
			});
		}

		/**
		 * One process is an hour ahead, one an hour behind, and one jumps between both;
		 * one is right.
		 */
		@Test
		void clocksOfProcessesAreAnHourOff(@TempDir Path directory) throws Exception {
			String library = wrongClock(directory);
			List<WorkerOptions> workers = List.of(WORKER,
					WORKER.with("environment", "LD_PRELOAD=" + library + " CLOCK_OFFSET=" + HOUR.toSeconds()),
					WORKER.with("environment", "LD_PRELOAD=" + library + " CLOCK_OFFSET=-" + HOUR.toSeconds()),
					WORKER.with("environment",
							"LD_PRELOAD=" + library + " CLOCK_OFFSET=" + HOUR.toSeconds() + " CLOCK_JUMPS=1"));
			Verdict verdict = contest("clocks an hour off", this.start, 0, workers, (cast, server) -> {
				assertThat(cast.alive()).filteredOn(DatabaseProcessFaultTests::isOff).hasSize(3);
				// A dead holder has its lease on the clock of the database.
				Member victim = holding(cast);
				victim.freeze();
				Pause.of(LEASE.multipliedBy(3).dividedBy(2));
				victim.thaw();
				victim.stays(false);
			});
			assertThat(verdict.losses()).as("holders that were stopped").isPositive();
		}

	}

}
