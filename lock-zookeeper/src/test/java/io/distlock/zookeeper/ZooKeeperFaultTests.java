package io.distlock.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.databases.Wire;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import io.distlock.test.ChildJvm;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import org.apache.curator.framework.CuratorFramework;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Locks while servers, connections, sessions and processes fail. Judged is what processes
 * believe, not what servers answer.
 */
@Tag("ci")
class ZooKeeperFaultTests {

	private static final Duration TICK = Duration.ofMillis(500);

	private static final Duration SESSION = Duration.ofSeconds(5);

	/** A follower without leader answers for so many ticks, longer than a session. */
	private static final int SYNC_LIMIT = 20;

	private static final boolean FULL = "full".equals(System.getProperty("reliability.pass"));

	private static final int LEAST = FULL ? 3_000 : 40;

	private static final Duration PATIENCE = Duration.ofSeconds(120);

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
		this.templates.clear();
	}

	private CloseableLockTemplate template(LockStore store) {
		CloseableLockTemplate template = Servers.template(store);
		this.templates.add(template);
		Servers.awaitAnswer(template);
		return template;
	}

	private CloseableLockTemplate template() {
		return template(Servers.store(servers.address(), SESSION));
	}

	private static CuratorFramework client(String address) {
		return Servers
			.started(Servers.client(address).sessionTimeoutMs((int) SESSION.toMillis()).connectionTimeoutMs(2000));
	}

	private static ZooKeeperLockStore on(CuratorFramework client) {
		return new ZooKeeperLockStore(client, Servers.SETTINGS);
	}

	@Test
	void aHolderOnAFollowerWithoutItsLeaderStopsBelievingBeforeTheNextOneBegins() throws Exception {
		Standstill.repeat(this::cutOffTheFollowerOfAHolder);
	}

	private void cutOffTheFollowerOfAHolder() throws Exception {
		String key = "cut-off:" + UUID.randomUUID();
		int leader = servers.awaitLeader();
		Awaitility.await().atMost(PATIENCE).until(() -> servers.followers().size() == 2);
		List<Integer> followers = servers.followers();
		Wire link = servers.link(followers.get(0), leader);
		try (CuratorFramework cutOff = client(servers.address(followers.get(0)));
				CuratorFramework idle = client(servers.address(followers.get(0)))) {
			Awaitility.await().atMost(PATIENCE).until(() -> idle.getZookeeperClient().isConnected());
			CloseableLockTemplate one = template(on(cutOff));
			CloseableLockTemplate other = template(Servers.store(servers.address(followers.get(1)), SESSION));
			LockHandle held = one.acquire(LockRequest.of(key));
			AtomicLong lastBelieved = new AtomicLong();
			CompletableFuture<LockHandle> next = other
				.acquireAsync(LockRequest.of(key).waitAtMost(Duration.ofSeconds(30)))
				.toCompletableFuture();
			byte[] waiter = "|W".getBytes(StandardCharsets.US_ASCII);
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(cutOff.getData().forPath(new Znodes("", "/distributed-lock").lock(key)))
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
				close();
			}
		}
	}

	@Test
	void aCrowdNeverOverlapsWhileLeadersAreKilled() throws Exception {
		List<CloseableLockTemplate> processes = List.of(template(), template(), template());
		try (Crowd crowd = new Crowd(processes, 2, 2)) {
			int round = 0;
			for (; round < (FULL ? 10 : 1) || crowd.acquisitions() < LEAST; round++) {
				goOn(crowd);
				int leader = servers.awaitLeader();
				servers.kill(leader);
				servers.awaitLeader();
				goOn(crowd);
				servers.restart(leader);
			}
			judge("leader killed", round, crowd);
		}
	}

	@Test
	void tokensOfACrowdRiseWhileSessionsAreKilled() throws Exception {
		try (CuratorFramework one = client(servers.address()); CuratorFramework two = client(servers.address())) {
			List<CuratorFramework> clients = List.of(one, two);
			List<CloseableLockTemplate> processes = List.of(template(on(one)), template(on(two)), template());
			try (Crowd crowd = new Crowd(processes, 2, 2)) {
				int round = 0;
				for (; round < (FULL ? 10 : 1) || crowd.acquisitions() < LEAST; round++) {
					goOn(crowd);
					Servers.killSession(servers.address(), clients.get(round % 2));
				}
				goOn(crowd);
				// Two may believe for a moment, which these bodies are too short to show.
				judgeTokens("session killed", round, crowd);
			}
		}
	}

	/** In every build one holder meets the same fault. */
	@Test
	@Tag("ci")
	void aCrowdNeverOverlapsWhileAFollowerIsWithoutItsLeader() throws Exception {
		int leader = servers.awaitLeader();
		Awaitility.await().atMost(PATIENCE).until(() -> servers.followers().size() == 2);
		List<Integer> followers = servers.followers();
		try (CuratorFramework one = client(servers.address(followers.get(0)));
				CuratorFramework two = client(servers.address(followers.get(1)))) {
			List<CloseableLockTemplate> processes = List.of(template(on(one)), template(on(two)));
			try (Crowd crowd = new Crowd(processes, 3, 2)) {
				int round = 0;
				for (; round < (FULL ? 10 : 1) || crowd.acquisitions() < LEAST; round++) {
					goOn(crowd);
					Wire link = servers.link(followers.get(round % 2), leader);
					link.cut();
					try {
						// Those on the other one get the locks when the session is over.
						goOn(crowd);
					}
					finally {
						link.restore();
					}
				}
				goOn(crowd);
				judge("follower without leader", round, crowd);
			}
		}
	}

	/** In every build one stopped process does. */
	@Test
	@Tag("ci")
	void aCrowdNeverOverlapsWhileAProcessIsStopped() throws Exception {
		List<CloseableLockTemplate> processes = List.of(template(), template());
		List<Crowd.Belief> beliefs = new ArrayList<>();
		List<Crowd.Belief> ofStopped;
		try (ChildJvm child = ChildJvm.of(StoppedCrowd.class)
			.args(servers.address(), Long.toString(SESSION.toMillis()), "2")
			.start(); Crowd crowd = new Crowd(processes, 2, 2)) {
			int round = 0;
			for (; round < (FULL ? 10 : 1) || crowd.acquisitions() < LEAST; round++) {
				int printed = child.lines().size();
				Awaitility.await().atMost(PATIENCE).until(() -> child.lines().size() > printed + (FULL ? 50 : 5));
				goOn(crowd);
				child.signal("STOP");
				// Its locks go to others when its session is over.
				goOn(crowd);
				child.signal("CONT");
			}
			goOn(crowd);
			crowd.close();
			judge("process stopped", round, crowd);
			beliefs.addAll(crowd.takeBeliefs());
			ofStopped = Crowd.Belief.in(child.lines());
		}
		assertThat(ofStopped).isNotEmpty();
		assertThat(ofStopped).allSatisfy((belief) -> assertThat(beliefs).noneMatch(belief::contradicts));
	}

	/**
	 * What its client has sent arrives when others have its locks: the link holds bytes
	 * back.
	 */
	@Test
	@Tag("reliability")
	void aCrowdNeverOverlapsWhileAClientIsCutOff() throws Exception {
		List<Integer> followers = servers.followers();
		int port = Integer.parseInt(servers.address(followers.get(0)).split(":")[1]);
		try (Wire link = new Wire(port); CuratorFramework cutOff = client("127.0.0.1:" + link.port())) {
			List<CloseableLockTemplate> processes = List.of(template(on(cutOff)), template(), template());
			try (Crowd crowd = new Crowd(processes, 2, 2)) {
				int round = 0;
				for (; round < (FULL ? 10 : 1) || crowd.acquisitions() < LEAST; round++) {
					goOn(crowd);
					link.cut();
					try {
						Pause.of(SESSION.plusSeconds(1));
						goOn(crowd);
					}
					finally {
						link.restore();
					}
				}
				goOn(crowd);
				judge("client cut off", round, crowd);
			}
		}
	}

	@Test
	@Tag("reliability")
	void aCrowdNeverOverlapsWhileAllServersAreKilled() throws Exception {
		List<CloseableLockTemplate> processes = List.of(template(), template(), template());
		try (Crowd crowd = new Crowd(processes, 2, 2)) {
			int round = 0;
			for (; round < (FULL ? 10 : 1) || crowd.acquisitions() < LEAST; round++) {
				goOn(crowd);
				List<Integer> all = List.of(1, 2, 3);
				all.forEach(servers::kill);
				// Now and then for longer than a session.
				Pause.of(SESSION.multipliedBy(round % 2).plusMillis(500));
				all.forEach(servers::restart);
				servers.awaitLeader();
			}
			goOn(crowd);
			judge("all servers killed", round, crowd);
		}
	}

	/** Until a part of what is to be done in all is done. */
	private static void goOn(Crowd crowd) {
		int before = crowd.acquisitions();
		Awaitility.await().atMost(PATIENCE).until(() -> crowd.acquisitions() >= before + LEAST / (FULL ? 20 : 2));
	}

	private static void judge(String fault, int faults, Crowd crowd) throws InterruptedException {
		judgeTokens(fault, faults, crowd);
		assertThat(crowd.overlaps()).isZero();
	}

	private static void judgeTokens(String fault, int faults, Crowd crowd) throws InterruptedException {
		crowd.close();
		LoggerFactory.getLogger(ZooKeeperFaultTests.class)
			.info("{}: {} faults, {} acquisitions, {} overlaps, {} token errors, {} losses reported", fault, faults,
					crowd.acquisitions(), crowd.overlaps(), crowd.tokenErrors(), crowd.losses());
		assertThat(crowd.tokenErrors()).isZero();
		assertThat(crowd.acquisitions()).isGreaterThanOrEqualTo(LEAST);
	}

	/**
	 * The server gives the lock to the next one at once, and the former one learns of it
	 * when its client has connected again: meanwhile both believe.
	 */
	@Test
	void aKilledSessionIsReportedAsLostAndAnotherOneFollows() throws Exception {
		try (CuratorFramework client = client(servers.address())) {
			CloseableLockTemplate one = template(on(client));
			CloseableLockTemplate other = template();
			for (int round = 0; round < (FULL ? 20 : 1); round++) {
				LockRequest request = LockRequest.of("killed").waitAtMost(Duration.ofSeconds(20));
				LockHandle held = one.acquire(request);
				CompletableFuture<Long> granted = other.acquireAsync(request)
					.toCompletableFuture()
					.thenApply((next) -> closed(next, held.fencingToken()));
				Servers.killSession(servers.address(), client);
				long lastBelieved = 0;
				while (held.isHeld()) {
					lastBelieved = System.nanoTime();
					// Between two looks.
					Pause.of(Duration.ofMillis(1));
				}
				assertThatExceptionOfType(LockLostException.class).isThrownBy(held::close);
				Duration both = Duration.ofNanos(Math.max(0, lastBelieved - granted.get(30, TimeUnit.SECONDS)));
				LoggerFactory.getLogger(ZooKeeperFaultTests.class)
					.info("session killed: both have believed for {} ms", both.toMillis());
				assertThat(both).isLessThan(SESSION);
				Servers.awaitAnswer(one);
			}
			one.acquire(LockRequest.of("killed").waitAtMost(Duration.ofSeconds(20))).close();
		}
	}

	private static long closed(LockHandle next, long before) {
		long granted = System.nanoTime();
		assertThat(next.fencingToken()).isGreaterThan(before);
		closeUnlessLost(next);
		return granted;
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
				closeUnlessLost(next);
			}
		}
	}

	/** On a busy machine the session of this process may be over as well. */
	private static void closeUnlessLost(LockHandle handle) {
		try {
			handle.close();
		}
		catch (LockLostException ex) {
			// Reported, as it should be.
		}
	}

	@Test
	void serversThatDoNotAnswerFailACallWithinItsCommandTimeout() throws Exception {
		int leader = servers.awaitLeader();
		try (Wire link = new Wire(Integer.parseInt(servers.address(leader).split(":")[1]))) {
			CloseableLockTemplate template = LockTemplateBuilder
				.forStore(Servers.store("127.0.0.1:" + link.port(), Duration.ofSeconds(10)))
				.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(1)).build())
				.build();
			this.templates.add(template);
			Servers.awaitAnswer(template);
			link.cut();
			long begun = System.nanoTime();
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> template.acquire(LockRequest.of("silent")))
				.withMessageContaining("silent");
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun)).as("long before the session ends")
				.isLessThan(8000);
			link.restore();
			Servers.awaitAnswer(template);
		}
	}

}
