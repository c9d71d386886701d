package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More processes than have a place in line want one lock, and all of them get it. How
 * that goes on slow places is tested on virtual time.
 */
@Tag("ci")
@Isolated // many threads
class LargeFleetTests {

	private static final int WAITERS = 230;

	/** The places in line. */
	private static final int PLACES = 200;

	private static final int CLIENTS = 5;

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	@Test
	void allWhoWaitAreServedAfterTheirLeaderHasDied() throws Exception {
		String root = "/" + UUID.randomUUID();
		List<CuratorFramework> clients = new ArrayList<>();
		List<CloseableLockTemplate> templates = new ArrayList<>();
		try (CuratorFramework dying = client()) {
			for (int i = 0; i < CLIENTS; i++) {
				clients.add(client());
			}
			LockRequest request = LockRequest.of("leader").waitAtMost(PATIENCE);
			CloseableLockTemplate leader = template(dying, root);
			templates.add(leader);
			Servers.awaitAnswer(leader);
			assertThat(leader.acquire(request).isHeld()).isTrue();
			List<CompletableFuture<Void>> served = new ArrayList<>();
			for (int i = 0; i < WAITERS; i++) {
				CloseableLockTemplate template = template(clients.get(i % CLIENTS), root);
				templates.add(template);
				served.add(template.acquireAsync(request).thenAccept(LockHandle::close).toCompletableFuture());
			}
			Awaitility.await().atMost(PATIENCE).until(() -> waiting(dying, root) == PLACES);
			assertThat(served).noneMatch(CompletableFuture::isDone);
			Servers.killSession(Servers.shared().address(), dying);
			CompletableFuture.allOf(served.toArray(CompletableFuture<?>[]::new))
				.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		finally {
			templates.forEach(CloseableLockTemplate::close);
			clients.forEach(CuratorFramework::close);
		}
	}

	/** Counts the waiters in the record, which has one line for each. */
	private static int waiting(CuratorFramework client, String root) throws Exception {
		byte[] record = client.getData().forPath(new Znodes("", root).lock("leader"));
		return new String(record, StandardCharsets.US_ASCII).split("\\|W", -1).length - 1;
	}

	private static CuratorFramework client() {
		return Servers.started(Servers.client(Servers.shared().address()).sessionTimeoutMs(30_000));
	}

	private static CloseableLockTemplate template(CuratorFramework client, String root) {
		return Servers.template(new ZooKeeperLockStore(client, Servers.settings().root(root).build()));
	}

}
