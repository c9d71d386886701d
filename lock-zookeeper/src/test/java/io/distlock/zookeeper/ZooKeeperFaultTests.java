package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import io.distlock.test.ChildJvm;
import io.distlock.test.Pause;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks while servers, connections, sessions and processes fail. Judged is what processes
 * believe, not what servers answer.
 */
class ZooKeeperFaultTests {

	private static final Duration TICK = Duration.ofMillis(500);

	private static final Duration SESSION = Duration.ofSeconds(3);

	/** A follower without leader answers for so many ticks, longer than a session. */
	private static final int SYNC_LIMIT = 20;

	private static final boolean FULL = "full".equals(System.getProperty("reliability.pass"));

	private static Ensemble servers;

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	@BeforeAll
	static void start() {
		servers = Ensemble.start(TICK, SYNC_LIMIT);
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	@AfterEach
	void close() {
		this.templates.forEach(CloseableLockTemplate::close);
	}

	private CloseableLockTemplate template(LockStore store) {
		CloseableLockTemplate template = LockTemplateBuilder.forStore(store).build();
		this.templates.add(template);
		awaitAnswer(template);
		return template;
	}

	private static void awaitAnswer(CloseableLockTemplate template) {
		Awaitility.await().atMost(Duration.ofSeconds(120)).ignoreExceptions().until(() -> {
			template.acquire(LockRequest.of("first:" + template.instance())).close();
			return true;
		});
	}

	private CloseableLockTemplate template() {
		return template(Servers.store(servers.address(), SESSION));
	}

	private static CuratorFramework client(String address) {
		CuratorFramework client = Servers.client(address)
			.sessionTimeoutMs((int) SESSION.toMillis())
			.connectionTimeoutMs(2000)
			.retryPolicy(new RetryOneTime(100))
			.build();
		client.start();
		return client;
	}

	private static ZooKeeperLockStore on(CuratorFramework client) {
		return new ZooKeeperLockStore(client, ZooKeeperLockStoreSettings.DEFAULTS);
	}

	@Test
	void aHolderOnAFollowerWithoutItsLeaderStopsBelievingBeforeTheNextOneBegins() throws Exception {
		int leader = servers.awaitLeader();
		Awaitility.await().until(() -> servers.followers().size() == 2);
		List<Integer> followers = servers.followers();
		Link link = servers.link(followers.get(0), leader);
		try (CuratorFramework cutOff = client(servers.address(followers.get(0)));
				CuratorFramework idle = client(servers.address(followers.get(0)))) {
			Awaitility.await().until(() -> idle.getZookeeperClient().isConnected());
			CloseableLockTemplate one = template(on(cutOff));
			CloseableLockTemplate other = template(Servers.store(servers.address(followers.get(1)), SESSION));
			LockHandle held = one.acquire(LockRequest.of("cut-off"));
			AtomicLong lastBelieved = new AtomicLong();
			CompletableFuture<LockHandle> next = other
				.acquireAsync(LockRequest.of("cut-off").waitAtMost(Duration.ofSeconds(30)))
				.toCompletableFuture();
			byte[] waiter = "|W".getBytes(StandardCharsets.US_ASCII);
			Awaitility.await()
				.untilAsserted(() -> assertThat(cutOff.getData().forPath("/distributed-lock/locks/kcut-off"))
					.containsSequence(waiter));
			link.cut();
			long cut = System.nanoTime();
			try {
				while (!next.isDone()) {
					long before = System.nanoTime();
					if (held.isHeld()) {
						lastBelieved.set(before);
					}
					// Between two looks.
					Pause.of(Duration.ofMillis(1));
				}
				long granted = System.nanoTime();
				assertThat(idle.getZookeeperClient().isConnected()).as("the follower answers pings").isTrue();
				assertThat(next.get().isHeld()).isTrue();
				assertThat(held.isHeld()).as("believed").isFalse();
				assertThat(lastBelieved.get()).isGreaterThan(cut).isLessThan(granted);
				assertThat(next.get().fencingToken()).isGreaterThan(held.fencingToken());
				next.get().close();
			}
			finally {
				link.restore();
			}
		}
	}

	@Test
	void aCrowdNeverOverlapsWhileLeadersAreKilled() throws Exception {
		int rounds = FULL ? 10 : 1;
		int phase = FULL ? 160 : 20;
		int atLeast = FULL ? 3_000 : 40;
		List<CloseableLockTemplate> processes = List.of(template(), template(), template());
		try (Crowd crowd = new Crowd(processes, 2, 2)) {
			for (int round = 0; round < rounds || crowd.acquisitions() < atLeast; round++) {
				int before = crowd.acquisitions();
				Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> crowd.acquisitions() > before + phase);
				int leader = servers.awaitLeader();
				servers.kill(leader);
				int killed = crowd.acquisitions();
				servers.awaitLeader();
				Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> crowd.acquisitions() > killed + phase);
				servers.restart(leader);
			}
			crowd.close();
			assertThat(crowd.overlaps()).isZero();
			assertThat(crowd.tokenErrors()).isZero();
			assertThat(crowd.acquisitions()).isGreaterThanOrEqualTo(atLeast);
		}
	}

	@Test
	void aKilledSessionIsReportedAsLostAndAnotherOneFollows() throws Exception {
		try (CuratorFramework client = client(servers.address())) {
			CloseableLockTemplate one = template(on(client));
			CloseableLockTemplate other = template();
			LockHandle held = one.acquire(LockRequest.of("killed"));
			ZooKeeper session = client.getZookeeperClient().getZooKeeper();
			// Another client that resumes the session and closes it.
			ZooKeeper thief = new ZooKeeper(servers.address(), 3000, (event) -> {
			}, session.getSessionId(), session.getSessionPasswd());
			Awaitility.await().until(() -> thief.getState().isConnected());
			thief.close();
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !held.isHeld());
			try (LockHandle next = other.acquire(LockRequest.of("killed").waitAtMost(Duration.ofSeconds(20)))) {
				assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
			}
			awaitAnswer(one);
			one.acquire(LockRequest.of("killed").waitAtMost(Duration.ofSeconds(20))).close();
		}
	}

	@Test
	void aStoppedProcessDoesNotBelieveInWhatAnotherOneWasGranted() {
		int rounds = FULL ? 20 : 1;
		CloseableLockTemplate other = template();
		for (int round = 0; round < rounds; round++) {
			String key = "stopped " + round;
			try (ChildJvm child = ChildJvm.of(StoppedProcess.class)
				.args(servers.address(), Long.toString(SESSION.toMillis()), key)
				.start()) {
				Awaitility.await()
					.atMost(Duration.ofSeconds(120))
					.untilAsserted(() -> assertThat(child.output()).contains("held "));
				child.signal("STOP");
				LockHandle next = other.acquire(LockRequest.of(key).waitAtMost(Duration.ofSeconds(60)));
				long granted = System.nanoTime();
				child.signal("CONT");
				Awaitility.await()
					.atMost(Duration.ofSeconds(120))
					.untilAsserted(() -> assertThat(child.output()).contains("lost"));
				long lastBelieved = child.lines()
					.stream()
					.filter((line) -> line.startsWith("held "))
					.mapToLong((line) -> Long.parseLong(line.substring("held ".length())))
					.max()
					.orElseThrow();
				assertThat(lastBelieved).as(child.output()).isLessThan(granted);
				assertThat(child.lines().stream().filter((line) -> line.startsWith("token ")))
					.allMatch((line) -> Long.parseLong(line.substring("token ".length())) < next.fencingToken());
				next.close();
			}
		}
	}

	@Test
	void serversThatDoNotAnswerFailACallWithinItsCommandTimeout() throws Exception {
		int leader = servers.awaitLeader();
		try (Link link = Link.to(Integer.parseInt(servers.address(leader).split(":")[1]))) {
			CloseableLockTemplate template = LockTemplateBuilder
				.forStore(Servers.store("127.0.0.1:" + link.port(), Duration.ofSeconds(10)))
				.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(1)).build())
				.build();
			this.templates.add(template);
			awaitAnswer(template);
			link.cut();
			long begun = System.nanoTime();
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of("silent")))
				.withMessageContaining("silent");
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)).isLessThan(4000);
			link.restore();
			awaitAnswer(template);
		}
	}

}
