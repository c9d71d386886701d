package io.distlock.migration.tests;

import io.distlock.databases.PostgresServer;
import io.distlock.migration.tests.Fleet.Result;
import io.distlock.test.redis.RedisCluster;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Three old and three new instances, each a process, through all deployments. */
@Tag("ci")
class MovingFleetTests {

	private static final int TURNS = 200;

	@ParameterizedTest
	@EnumSource(names = "SHEDLOCK_JDBC", mode = EnumSource.Mode.EXCLUDE)
	void nobodyHasTheLockTwiceWhileProcessesMoveAndDie(OldLibrary library) {
		try (RedisServer server = RedisServer.start();
				Fleet fleet = new Fleet(library, server::command, server.host() + ":" + server.port(), false, "")) {
			// lock4j comes by every 100 ms only.
			move(library, fleet, library != OldLibrary.LOCK4J);
		}
	}

	@Test
	void nobodyHasTheLockTwiceInADatabase() throws Exception {
		try (RedisServer server = RedisServer.start(); PostgresServer database = PostgresServer.start()) {
			try (var connection = java.sql.DriverManager.getConnection(database.url());
					var statement = connection.createStatement()) {
				statement.execute(OldLibrary.TABLE);
			}
			try (Fleet fleet = new Fleet(OldLibrary.SHEDLOCK_JDBC, server::command, server.host() + ":" + server.port(),
					false, database.url())) {
				move(OldLibrary.SHEDLOCK_JDBC, fleet, false);
			}
		}
	}

	@Test
	void nobodyHasTheLockTwiceOnACluster() {
		try (RedisCluster cluster = RedisCluster.builder().masters(3).replicas(0).start()) {
			RedisServer node = cluster.masterOf(Node.PHASE);
			try (Fleet fleet = new Fleet(OldLibrary.REDISSON, node::command, node.host() + ":" + node.port(), true,
					"")) {
				move(OldLibrary.REDISSON, fleet, false);
			}
		}
	}

	private static void move(OldLibrary library, Fleet fleet, boolean fair) {
		// How many turns each side gets also depends on how the machine schedules the
		// processes, so they play until both had some.
		long least = fair ? TURNS / 10 : 1;
		Result without = fleet.play("none", TURNS / 2, false, (result) -> result.doubles() > 0);
		Result second = fleet.play("second", TURNS, true, (result) -> result.old() >= least && result.now() >= least);
		Result third = fleet.play("third", TURNS / 2, false, (result) -> result.now() > 0 && result.ours() > 0);
		assertThat(without.doubles()).as("%s without the bridge", library).isPositive();
		assertThat(second.doubles()).as("%s: %s", library, second).isZero();
		assertThat(second.count()).isEqualTo(second.turns());
		assertThat(second.old()).as("%s: %s", library, second).isGreaterThanOrEqualTo(least);
		assertThat(second.now()).as("%s: %s", library, second).isGreaterThanOrEqualTo(least);
		assertThat(third.doubles()).as("%s: %s", library, third).isZero();
		assertThat(third.count()).isEqualTo(third.turns());
		assertThat(third.now()).isPositive();
		assertThat(third.ours()).isPositive();
	}

}
