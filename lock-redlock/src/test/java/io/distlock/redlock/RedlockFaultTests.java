package io.distlock.redlock;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.redis.protocol.LockRecord;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.test.Standstill;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Five real servers, of which some die, hang or lose their data. */
@Tag("ci")
@Execution(ExecutionMode.CONCURRENT)
class RedlockFaultTests {

	private static final String KEY = "stock";

	private static final Duration LEASE = Duration.ofSeconds(30);

	private final QuorumServers servers = QuorumServers.start(5, Client.LETTUCE);

	private final List<Process> processes = new ArrayList<>();

	private Process one;

	private Process two;

	@BeforeEach
	void connect() {
		this.one = new Process("one", QuorumServers.PATIENT);
		this.two = new Process("two", QuorumServers.PATIENT);
	}

	@AfterEach
	void close() {
		this.processes.forEach((process) -> process.store.stop());
		this.servers.close();
	}

	@Test
	void acquireWhenTwoOfFiveAreKilledThenGoesOnAndTokensIncrease() throws Exception {
		long last = this.one.acquired(1, LEASE).fencingToken();
		this.servers.get(0).kill();
		this.servers.get(3).kill();
		assertThat(this.two.acquire(1, LEASE)).isInstanceOf(AcquireResult.Busy.class);
		assertThat(this.one.renew(1)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(this.one.finish(1)).isEqualTo(FinishResult.RELEASED);
		for (int number = 2; number < 10; number++) {
			Process process = (number % 2 == 0) ? this.two : this.one;
			long token = process.acquired(number, LEASE).fencingToken();
			assertThat(token).isGreaterThan(last);
			last = token;
			assertThat(process.finish(number)).isEqualTo(FinishResult.RELEASED);
		}
	}

	@Test
	void acquireWhenTwoOfFiveHangThenGoesOnAndNothingIsLeftBehindThere() throws Exception {
		this.servers.get(1).pause();
		this.servers.get(2).pause();
		this.one.acquired(1, LEASE);
		assertThat(this.two.acquire(1, LEASE)).isInstanceOf(AcquireResult.Busy.class);
		this.one.finish(1);
		this.two.acquired(2, LEASE);
		this.two.finish(2);
		this.servers.get(1).resume();
		this.servers.get(2).resume();
		awaitFreeEverywhere();
	}

	@Test
	void acquireWhenThreeOfFiveAreDownThenFailsAndIsNeverBusy() {
		Stream.of(0, 2, 4).forEach((index) -> this.servers.get(index).kill());
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.one.acquire(1, LEASE))
			.withCauseInstanceOf(LockStoreException.class)
			.withMessageContaining("3 of 5 nodes did not count (acquiring of lock 'stock')")
			.withMessageContaining("n1 ")
			.withMessageContaining("n3 ")
			.withMessageContaining("n5 ");
		awaitFreeEverywhere(1, 3);
	}

	@Test
	void acquireWhenNodeOfTheMajorityLostItsDataThenNotGrantedToAnother() throws Exception {
		this.servers.get(3).kill();
		this.servers.get(4).kill();
		this.one.acquired(1, LEASE);
		loseData(0);
		// They never heard of the lock, but did not lose anything.
		this.servers.get(3).restart();
		this.servers.get(4).restart();
		QuorumServers.endQuarantine(this.servers.get(3));
		QuorumServers.endQuarantine(this.servers.get(4));
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> {
			assertThat(this.two.outcome(this.two.nextNumber())).isNotInstanceOf(AcquireResult.Granted.class);
			return Stream.of(0, 3, 4).allMatch((index) -> asked(index, "two"));
		});
	}

	/** Whether it was asked by that instance, and has ended what it was asked for. */
	private boolean asked(int index, String instance) {
		RedisServer server = this.servers.get(index);
		return server.isRunning() && server.command("HEXISTS", "lk:" + KEY, "f:" + instance).equals("1");
	}

	@Test
	void renewWhenMajorityLostTheHoldThenGoneAndNotGivenBack() throws Exception {
		this.one.acquired(1, LEASE);
		loseData(0);
		loseData(1);
		assertThat(this.one.renew(1)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(held(0)).isFalse();
		loseData(2);
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> this.one.renewalIsGone(1));
		assertThat(held(2)).isFalse();
	}

	@Test
	void acquireWhenStoppedBetweenTheStepsForLongerThanTheLeaseThenTokenIsNotUsed() throws Exception {
		Duration lease = Duration.ofMillis(400);
		CompletableFuture<Void> stopped = new CompletableFuture<>();
		List<QuorumNode> nodes = this.servers.connect()
			.stream()
			.map((node) -> stoppedBeforeRaise(new RedisQuorumNode(node, QuorumServers.PATIENT), stopped))
			.toList();
		Process slow = new Process("slow",
				new RedlockStore(nodes, QuorumServers.PATIENT, QuorumTimer::start, () -> 0.5));
		CompletableFuture<AcquireResult> answer = slow.send(1, lease);
		Awaitility.await().until(() -> held(0) && held(1) && held(2));
		Awaitility.await().until(() -> this.one.acquire(this.one.nextNumber(), LEASE) instanceof AcquireResult.Granted);
		stopped.complete(null);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> answer.get(20, TimeUnit.SECONDS))
			.withCauseInstanceOf(LockStoreException.class);
		assertThat(this.one.renew(this.one.number)).isInstanceOf(RenewResult.Renewed.class);
	}

	@Test
	void acquireWhenManyContendThenLosersLeaveNothingBehind() throws Exception {
		List<Process> all = List.of(this.one, this.two, new Process("three", QuorumServers.PATIENT));
		long last = 0;
		for (int round = 1; round <= 100; round++) {
			List<CompletableFuture<AcquireResult>> answers = new ArrayList<>();
			for (Process process : all) {
				answers.add(process.send(round, LEASE));
			}
			int winners = 0;
			for (int i = 0; i < all.size(); i++) {
				if (answers.get(i).get(20, TimeUnit.SECONDS) instanceof AcquireResult.Granted granted) {
					winners++;
					assertThat(granted.grant().fencingToken()).isGreaterThan(last);
					last = granted.grant().fencingToken();
				}
			}
			assertThat(winners).isLessThanOrEqualTo(1);
			for (Process process : all) {
				process.finish(round);
			}
		}
		awaitFreeEverywhere();
		assertThat(last).isPositive();
	}

	private void loseData(int index) {
		this.servers.get(index).kill();
		this.servers.get(index).restart();
	}

	private boolean held(int index) {
		String record = this.servers.get(index).command("HGET", "lk:" + KEY, "o");
		LockRecord lock = LockRecord.parse(record);
		return lock != null && lock.held();
	}

	/** Long before the lease ends. */
	private void awaitFreeEverywhere(int... indexes) {
		List<Integer> nodes = (indexes.length == 0) ? List.of(0, 1, 2, 3, 4) : Arrays.stream(indexes).boxed().toList();
		Awaitility.await()
			.atMost(LEASE.dividedBy(2))
			.untilAsserted(() -> assertThat(nodes).allMatch((index) -> !held(index)));
	}

	@Test
	void listThenWhatAMajorityHasWhileAMajorityAnswers() throws Exception {
		// Each of its calls waits for a node that hangs.
		Process brief = new Process("brief", QuorumServers.SETTINGS);
		List<String> expected = List.of(KEY + " 1");
		this.one.acquired(1, LEASE);
		// The other nodes may have been enough for the lock.
		Awaitility.await().until(() -> this.servers.get(2).command("COPY", "lk:" + KEY, "lk:minority"), "1"::equals);
		assertThat(this.two.list()).isEqualTo(expected);
		this.servers.get(0).kill();
		this.servers.get(3).pause();
		Standstill.repeat(() -> assertThat(brief.list()).isEqualTo(expected));
		this.servers.get(4).kill();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(brief::list)
			.withCauseInstanceOf(LockStoreException.class)
			.withMessageContaining("nodes did not count");
		this.servers.get(3).resume();
	}

	@Test
	void listWhenTheCursorIsMadeUpThenRefused() {
		for (String cursor : new String[] { "x", "0", "0:0", "0:0:x", "-1:0:", "0:g:", "0:0:1:2:3", "9".repeat(400) }) {
			assertThatThrownBy(() -> this.two.store.list(new ListCommand("", cursor, 10))).as(cursor)
				.isInstanceOf(IllegalArgumentException.class)
				.hasMessageContaining("is no cursor of a list of locks");
		}
		assertThat(this.two.store.list(new ListCommand("", "9999:0:", 10)).toCompletableFuture().join().isLast())
			.isTrue();
	}

	/** A process that hangs after the first step, until it is told to go on. */
	private static QuorumNode stoppedBeforeRaise(QuorumNode node, CompletableFuture<Void> stopped) {
		return (QuorumNode) Proxy.newProxyInstance(QuorumNode.class.getClassLoader(),
				new Class<?>[] { QuorumNode.class }, (proxy, method, arguments) -> {
					if (!method.getName().equals("raise")) {
						return method.invoke(node, arguments);
					}
					return stopped.thenCompose((nothing) -> node.raise((String) arguments[0], (RequestId) arguments[1],
							(Long) arguments[2], (Integer) arguments[3]));
				});
	}

	/** One instance, with its commands in short. */
	private final class Process {

		private final String instance;

		private final RedlockStore store;

		private long number;

		private Process(String instance, RedlockSettings settings) {
			this(instance, new RedlockStore(RedlockFaultTests.this.servers.connect(), settings));
		}

		private Process(String instance, RedlockStore store) {
			this.instance = instance;
			this.store = store;
			store.start(instance, null);
			RedlockFaultTests.this.processes.add(this);
			// The nodes are connected to one by one.
			Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> everyNodeAnswers(store));
		}

		private boolean everyNodeAnswers(RedlockStore store) throws Exception {
			return store.inspect(KEY).toCompletableFuture().get(20, TimeUnit.SECONDS) != null;
		}

		/** The keys of all pages. */
		private List<String> list() throws Exception {
			List<String> keys = new ArrayList<>();
			String cursor = "";
			do {
				LockPage page = this.store.list(new ListCommand("", cursor, 10))
					.toCompletableFuture()
					.get(20, TimeUnit.SECONDS);
				page.locks().forEach((lock) -> keys.add(lock.key() + " " + lock.holds().size()));
				cursor = page.next();
			}
			while (!cursor.isEmpty());
			return keys;
		}

		private long nextNumber() {
			return ++this.number;
		}

		private CompletableFuture<AcquireResult> send(long request, Duration lease) {
			Holder holder = new Holder("app", "host", this.instance, "thread", "caller", Instant.EPOCH);
			return this.store
				.acquire(new AcquireCommand(KEY, request(request), lease, Sharing.EXCLUSIVE, false, 1,
						Duration.ofSeconds(5), holder))
				.toCompletableFuture();
		}

		private AcquireResult acquire(long request, Duration lease) throws Exception {
			return send(request, lease).get(20, TimeUnit.SECONDS);
		}

		private Grant acquired(long request, Duration lease) throws Exception {
			return ((AcquireResult.Granted) acquire(request, lease)).grant();
		}

		private RenewResult renew(long request) throws Exception {
			return this.store.renew(new RenewCommand(KEY, request(request), LEASE, 0))
				.toCompletableFuture()
				.get(20, TimeUnit.SECONDS);
		}

		/** The answer, or the failure. */
		private Object outcome(long request) {
			return send(request, LEASE).handle((result, error) -> (error != null) ? error : result).join();
		}

		private boolean renewalIsGone(long request) throws Exception {
			try {
				return renew(request) instanceof RenewResult.Gone;
			}
			catch (ExecutionException ex) {
				// A node is being connected to anew.
				return false;
			}
		}

		private FinishResult finish(long request) throws Exception {
			return this.store.finish(KEY, request(request), Duration.ZERO)
				.toCompletableFuture()
				.get(20, TimeUnit.SECONDS);
		}

		private RequestId request(long request) {
			return RequestId.parse(this.instance, request);
		}

	}

}
