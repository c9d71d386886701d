package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockRequest;
import io.distlock.output.LogLines;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A process begins a new session, whatever its client does. */
@Tag("ci")
class ProcessNodeTests {

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	/** Long for a busy machine, on which six heartbeats have to come in that time. */
	private static final Duration SESSION = Duration.ofSeconds(12);

	private static final int ERRORS = 3;

	/** With the errors as many heartbeats as a session has. */
	private static final int BEATS = 6;

	private final AtomicReference<Fault> fault = new AtomicReference<>(Fault.NONE);

	@Test
	void heartbeatWhenErrorsMeetItThenGoesOnAndLocksAreGranted() {
		AtomicInteger beats = new AtomicInteger();
		try (CloseableLockTemplate template = template("/errors")) {
			Servers.awaitAnswer(template);
			this.fault.set(Fault.error(() -> ofHeartbeat() && beats.incrementAndGet() <= ERRORS));
			Awaitility.await().atMost(PATIENCE).until(() -> beats.get() > BEATS);
			Servers.awaitAnswer(template);
		}
	}

	private static boolean ofHeartbeat() {
		return Thread.currentThread().getName().equals("distributed-lock-zookeeper");
	}

	@Test
	void lifeWhoseCreationWasNotAnsweredDoesNotStay() throws Exception {
		this.fault.set(Fault.silent());
		try (CloseableLockTemplate template = template("/silent");
				CuratorFramework other = Servers.started(Servers.client(Servers.shared().address()))) {
			Servers.awaitAnswer(template);
			assertThat(this.fault.get()).isSameAs(Fault.NONE);
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(other.getChildren().forPath("/silent/live")).singleElement()
					.asString()
					.doesNotEndWith("-1"));
			assertThat(other.getChildren().forPath("/silent/mail")).hasSize(1);
		}
	}

	@Test
	void minimumHoldWhenItsSessionEndsThenItLasts() {
		Duration minimum = Duration.ofSeconds(3);
		CuratorFramework dying = Servers.started(Servers.client(Servers.shared().address()));
		try (CloseableLockTemplate one = Servers
			.template(new ZooKeeperLockStore(dying, Servers.settings().root("/minimum").build()));
				CloseableLockTemplate other = template("/minimum")) {
			Servers.awaitAnswer(one);
			Servers.awaitAnswer(other);
			long before = System.nanoTime();
			one.acquire(LockRequest.of("job").holdAtLeast(minimum)).close();
			one.close();
			// With the client its session ends at once.
			dying.close();
			other.acquire(LockRequest.of("job").waitAtMost(Duration.ofSeconds(20))).close();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(minimum.minusMillis(100));
		}
	}

	/** Whoever finds its locks lost has to learn that a right is missing. */
	@Test
	void heartbeatWhenRefusedThenToldOnceAndAgainAfterItWasAccepted() throws Exception {
		try (CloseableLockTemplate template = template("/refused");
				CuratorFramework operator = Servers.started(Servers.client(Servers.shared().address()));
				LogLines log = LogLines.of("io.distlock.zookeeper")) {
			Servers.awaitAnswer(template);
			String live = "/refused/live/" + operator.getChildren().forPath("/refused/live").get(0);
			for (int told = 1; told <= 2; told++) {
				int lines = told;
				setRights(operator, live, ZooDefs.Perms.READ);
				Awaitility.await().atMost(PATIENCE).until(() -> refusals(log).size() == lines);
				assertThat(refusals(log).get(lines - 1)).contains(live, "no right to read, create, write",
						"holds no lock");
				setRights(operator, live, ZooDefs.Perms.ALL);
				Servers.awaitAnswer(template);
				awaitBeat(operator, live);
				assertThat(refusals(log)).hasSize(lines);
			}
		}
	}

	private static void setRights(CuratorFramework operator, String path, int rights) throws Exception {
		operator.setACL()
			.withACL(List.of(new ACL(rights | ZooDefs.Perms.ADMIN, ZooDefs.Ids.ANYONE_ID_UNSAFE)))
			.forPath(path);
	}

	/** Waits for as many writes as a session has heartbeats. */
	private static void awaitBeat(CuratorFramework operator, String live) throws Exception {
		int before = operator.checkExists().forPath(live).getVersion();
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> operator.checkExists().forPath(live).getVersion() - before > BEATS);
	}

	private static List<String> refusals(LogLines log) {
		return log.events()
			.stream()
			.map((line) -> line.getFormattedMessage())
			.filter((line) -> line.contains("refuses the heartbeats"))
			.toList();
	}

	/** Or a process that is never connected would remember each of its commands. */
	@Test
	void beginsWhenThereIsNoSessionThenNothingIsLeftOfThoseThatGaveUp() {
		ProcessNode node = new ProcessNode(Client.Own.of(Servers.client("127.0.0.1:1"), Servers.SETTINGS),
				Servers.SETTINGS, new Znodes("", "/never"), "one", new Servers.NoEvents(), () -> {
				});
		node.begins(Duration.ofDays(1));
		assertThat(node.begins(Duration.ofMillis(10)).toCompletableFuture()).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(TimeoutException.class);
		assertThat(node.waiting()).as("those who still wait").isOne();
	}

	private CloseableLockTemplate template(String root) {
		return Servers
			.template(new ZooKeeperLockStore(
					Servers.client(Servers.shared().address())
						.zookeeperFactory((address, timeout, watcher, readOnly) -> new Faulty(address, timeout, watcher,
								this.fault)),
					Servers.settings()
						.root(root)
						.sessionTimeout(SESSION)
						.connectionTimeout(Duration.ofSeconds(1))
						.build()));
	}

	/** What goes wrong with a command. */
	private interface Fault {

		Fault NONE = (faults) -> Outcome.ANSWERED;

		Outcome of(AtomicReference<Fault> faults);

		static Fault error(BooleanSupplier now) {
			return (faults) -> {
				if (now.getAsBoolean()) {
					throw new OutOfMemoryError("of the test");
				}
				return Outcome.ANSWERED;
			};
		}

		/** The first transaction is executed, and its answer gets lost. */
		static Fault silent() {
			return (faults) -> {
				faults.set(NONE);
				return Outcome.LOST;
			};
		}

		enum Outcome {

			ANSWERED, LOST

		}

	}

	/** A client with faults. */
	private static final class Faulty extends ZooKeeper {

		private final AtomicReference<Fault> faults;

		Faulty(String address, int timeout, Watcher watcher, AtomicReference<Fault> faults) throws Exception {
			super(address, timeout, watcher);
			this.faults = faults;
		}

		@Override
		public void multi(Iterable<Op> operations, AsyncCallback.MultiCallback callback, Object context) {
			Fault.Outcome outcome = this.faults.get().of(this.faults);
			super.multi(operations, (outcome == Fault.Outcome.LOST) ? (rc, path, asked, results) -> {
			} : callback, context);
		}

	}

}
