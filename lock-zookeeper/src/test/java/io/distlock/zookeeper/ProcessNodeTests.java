package io.distlock.zookeeper;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.records.place.RecordEvents;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.AsyncCallback;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A process begins a new session, whatever its client does. */
class ProcessNodeTests {

	private static TestingServer server;

	private final AtomicReference<Fault> fault = new AtomicReference<>(Fault.NONE);

	@BeforeAll
	static void start() {
		server = Servers.start(Duration.ofMillis(500));
	}

	@AfterAll
	static void stop() {
		Servers.stop(server);
	}

	@Test
	void heartbeatWhenErrorsMeetItThenGoesOn() throws Exception {
		Random random = new Random(42);
		AtomicInteger errors = new AtomicInteger();
		try (CloseableLockTemplate template = template("/errors")) {
			awaitAnswer(template);
			this.fault.set(Fault.error(() -> ofHeartbeat() && random.nextInt(3) == 0 && errors.incrementAndGet() > 0));
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> errors.get() >= 3);
			this.fault.set(Fault.NONE);
			Standstill.repeat(() -> {
				awaitAnswer(template);
				try (LockHandle held = template.acquire("held")) {
					// Longer than a session is believed in without a heartbeat.
					Pause.of(Duration.ofSeconds(4));
					held.ensureHeld();
				}
			});
		}
	}

	private static boolean ofHeartbeat() {
		return Thread.currentThread().getName().equals("distributed-lock-zookeeper");
	}

	@Test
	void lifeWhoseCreationWasNotAnsweredDoesNotStay() throws Exception {
		this.fault.set(Fault.silent());
		try (CloseableLockTemplate template = template("/silent");
				CuratorFramework other = Servers.client(server.getConnectString())
					.retryPolicy(new RetryOneTime(100))
					.build()) {
			other.start();
			awaitAnswer(template);
			assertThat(this.fault.get()).isSameAs(Fault.NONE);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.untilAsserted(() -> assertThat(other.getChildren().forPath("/silent/live")).singleElement()
					.asString()
					.endsWith("-2"));
			assertThat(other.getChildren().forPath("/silent/mail")).hasSize(1);
		}
	}

	@Test
	void minimumHoldWhenItsSessionEndsThenItLasts() {
		Duration minimum = Duration.ofSeconds(3);
		CuratorFramework dying = Servers.client(server.getConnectString()).retryPolicy(new RetryOneTime(100)).build();
		dying.start();
		try (CloseableLockTemplate one = LockTemplateBuilder
			.forStore(new ZooKeeperLockStore(dying, Servers.settings().root("/minimum").build()))
			.settings(Servers.PATIENT)
			.build(); CloseableLockTemplate other = template("/minimum")) {
			awaitAnswer(one);
			awaitAnswer(other);
			long before = System.nanoTime();
			one.acquire(LockRequest.of("job").holdAtLeast(minimum)).close();
			one.close();
			// With the client its session ends at once.
			dying.close();
			other.acquire(LockRequest.of("job").waitAtMost(Duration.ofSeconds(20))).close();
			assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(minimum.minusMillis(100));
		}
	}

	/** Or a process that is never connected would remember each of its commands. */
	@Test
	void beginsWhenThereIsNoSessionThenNothingIsLeftOfThoseThatGaveUp() {
		ProcessNode node = new ProcessNode(Client.Own.of(Servers.client("127.0.0.1:1"), Servers.SETTINGS),
				Servers.SETTINGS, new Znodes("", "/never"), "one", new RecordEvents() {

					@Override
					public void message(String text) {
					}

					@Override
					public void missed() {
					}

				}, () -> {
				});
		CompletableFuture<Void> waiting = node.begins(Duration.ofMillis(10)).toCompletableFuture();
		assertThat(node.waiting()).isEqualTo(1);
		assertThat(waiting).failsWithin(Duration.ofSeconds(20))
			.withThrowableThat()
			.withCauseInstanceOf(TimeoutException.class);
		assertThat(node.waiting()).isZero();
	}

	private CloseableLockTemplate template(String root) {
		return LockTemplateBuilder
			.forStore(new ZooKeeperLockStore(
					Servers.client(server.getConnectString())
						.zookeeperFactory((address, timeout, watcher, readOnly) -> new Faulty(address, timeout, watcher,
								this.fault)),
					Servers.settings()
						.root(root)
						.sessionTimeout(Duration.ofSeconds(3))
						.connectionTimeout(Duration.ofSeconds(1))
						.build()))
			.settings(Servers.PATIENT)
			.build();
	}

	private static void awaitAnswer(CloseableLockTemplate template) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
			template.acquire(LockRequest.of("first")).close();
			return true;
		});
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
