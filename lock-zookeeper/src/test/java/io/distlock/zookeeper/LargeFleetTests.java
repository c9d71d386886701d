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
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * More processes than have a place in line want one lock, and all of them get it. How
 * that goes on slow places is tested on virtual time.
 */
@Tag("ci")
@Isolated // many threads
@Timeout(value = 40, unit = TimeUnit.MINUTES)
class LargeFleetTests {

	private static final int WAITERS = 219;

	/** The places in line. */
	private static final int PLACES = 200;

	private static final int CLIENTS = 5;

	/** The fleets of two stores may run at the same time on two slow cores. */
	private static final Duration PATIENCE = Duration.ofMinutes(12);

	/** More than this crowd of one process needs on a slow machine. */
	private static final Duration SLOW = Duration.ofMinutes(1);

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
		return LockTemplateBuilder
			.forStore(new ZooKeeperLockStore(client,
					ZooKeeperLockStoreSettings.builder().root(root).commandTimeout(SLOW).build()))
			.settings(LockSettings.builder().leaseTime(SLOW.multipliedBy(3)).commandTimeout(SLOW).build())
			.build();
	}

}
