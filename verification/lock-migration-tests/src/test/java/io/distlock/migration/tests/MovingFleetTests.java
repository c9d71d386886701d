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

	private static final int TURNS = 400;

	@ParameterizedTest
	@EnumSource(names = "SHEDLOCK_JDBC", mode = EnumSource.Mode.EXCLUDE)
	void nobodyHasTheLockTwiceWhileProcessesMoveAndDie(OldLibrary library) {
		try (RedisServer server = RedisServer.start();
				Fleet fleet = new Fleet(library, server::command, server.host() + ":" + server.port(), false, "")) {
			move(library, fleet);
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
				move(OldLibrary.SHEDLOCK_JDBC, fleet);
			}
		}
	}

	@Test
	void nobodyHasTheLockTwiceOnACluster() {
		try (RedisCluster cluster = RedisCluster.builder().masters(3).replicas(0).start()) {
			RedisServer node = cluster.masterOf(Node.PHASE);
			try (Fleet fleet = new Fleet(OldLibrary.REDISSON, node::command, node.host() + ":" + node.port(), true,
					"")) {
				move(OldLibrary.REDISSON, fleet);
			}
		}
	}

	private static void move(OldLibrary library, Fleet fleet) {
		Result without = fleet.play("none", TURNS / 2, false);
		System.out.println(library + " without: " + without);
		Result calm = fleet.play("second", TURNS, false);
		System.out.println(library + " calm: " + calm);
		Result second = fleet.play("second", TURNS, true);
		System.out.println(library + " second: " + second);
		Result third = fleet.play("third", TURNS / 2, false);
		System.out.println(library + " third: " + third);
		System.out.println(fleet.output());
		assertThat(without.doubles()).isPositive();
		assertThat(second.doubles()).isZero();
		assertThat(second.count()).isEqualTo(second.turns());
		assertThat(second.old()).isGreaterThan(second.turns() * 3 / 10);
		assertThat(second.now()).isGreaterThan(second.turns() * 3 / 10);
		assertThat(third.doubles()).isZero();
		assertThat(third.count()).isEqualTo(third.turns());
		assertThat(third.now()).isGreaterThan(third.turns() * 3 / 10);
		assertThat(third.ours()).isGreaterThan(third.turns() * 3 / 10);
	}

}
