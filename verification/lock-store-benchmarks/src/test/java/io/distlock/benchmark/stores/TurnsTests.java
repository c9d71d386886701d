package io.distlock.benchmark.stores;

import io.distlock.databases.PostgresServer;
import io.distlock.databases.Wire;
import io.distlock.databases.ZooKeeperServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Round trips of an acquisition and a release that nobody contends, on the wire. */
class TurnsTests {

	private static final int PAIRS = 50;

	private static final int MEASUREMENTS = 5;

	@Test
	void inZooKeeper() throws Exception {
		try (ZooKeeperServer server = ZooKeeperServer.start()) {
			int port = server.port();
			assertTurns(Implementation.ZOOKEEPER_OURS, port, 2);
			assertTurns(Implementation.ZOOKEEPER_CURATOR, port, 3);
			// Its tryLock asks once more.
			assertTurns(Implementation.ZOOKEEPER_SPRING_INTEGRATION, port, 3);
		}
	}

	@Test
	void inPostgres() throws Exception {
		try (PostgresServer server = PostgresServer.start()) {
			Databases.prepare(server.url());
			int port = server.port();
			assertTurns(Implementation.POSTGRES_OURS, port, 2);
			assertTurns(Implementation.POSTGRES_SPRING_INTEGRATION, port, 6);
			assertTurns(Implementation.POSTGRES_SHEDLOCK, port, 4);
		}
	}

	/**
	 * A ping, a heartbeat or the check of an idle connection may come between, and the
	 * statements with which a connection begins to listen, once; each peer has
	 * housekeeping of its own. All of that only adds, and a slow machine adds more, so
	 * the least of several measurements counts.
	 */
	private static void assertTurns(Implementation implementation, int port, long each) throws Exception {
		try (Wire proxy = new Wire(port)) {
			String address = (implementation.place() == Implementation.Place.POSTGRES)
					? PostgresServer.url(proxy.port()) : "127.0.0.1:" + proxy.port();
			try (Peer peer = implementation.open(address, 1)) {
				for (int i = 0; i < 10; i++) {
					peer.acquire("turns").run();
				}
				long more = implementation.name().contains("OURS") ? PAIRS / 5 : PAIRS / 2;
				long least = turns(peer, proxy);
				for (int i = 1; i < MEASUREMENTS && least > each * PAIRS + more; i++) {
					least = Math.min(least, turns(peer, proxy));
				}
				assertThat(least).as(implementation.name()).isBetween(each * PAIRS, each * PAIRS + more);
			}
		}
	}

	private static long turns(Peer peer, Wire proxy) throws Exception {
		long before = proxy.turns();
		for (int i = 0; i < PAIRS; i++) {
			peer.acquire("turns").run();
		}
		return proxy.turns() - before;
	}

}
