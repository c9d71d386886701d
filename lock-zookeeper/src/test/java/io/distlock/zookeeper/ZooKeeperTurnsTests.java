package io.distlock.zookeeper;

import java.time.Duration;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What an acquisition costs, counted on the wire. */
class ZooKeeperTurnsTests {

	private static final int PAIRS = 100;

	@Test
	void aFreeLockTakesOneTurnToAcquireAndOneToRelease() {
		TestingServer server = Servers.start(Duration.ofSeconds(2));
		try (Link link = Link.to(server.getPort());
				CloseableLockTemplate template = LockTemplateBuilder
					.forStore(Servers.store("127.0.0.1:" + link.port(), Servers.LONG_SESSION))
					.settings(Servers.PATIENT)
					.build()) {
			Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
				template.acquire(LockRequest.of("first")).close();
				return true;
			});
			long before = link.turns();
			for (int i = 0; i < PAIRS; i++) {
				template.acquire(LockRequest.of("key " + i % 3)).close();
			}
			// A ping or heartbeat may come in between.
			assertThat(link.turns() - before).isBetween(2L * PAIRS, 2L * PAIRS + 4);
		}
		finally {
			Servers.stop(server);
		}
	}

}
