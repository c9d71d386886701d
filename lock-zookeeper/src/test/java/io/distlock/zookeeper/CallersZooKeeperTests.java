package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.records.LockRecords.Change;
import io.distlock.records.LockRecords.Expected;
import io.distlock.records.LockRecords.Message;
import io.distlock.records.LockRecords.Summary;
import io.distlock.records.LockRecords.Written;
import io.distlock.records.RecordEvents;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A thread that waits sends its writes itself, and never waits for longer than others.
 */
class CallersZooKeeperTests {

	private static final ZooKeeperLockStoreSettings SETTINGS = ZooKeeperLockStoreSettings.DEFAULTS;

	private static final CallingThread WAITS = (task) -> {
		task.run();
		return true;
	};

	private static TestingServer server;

	@BeforeAll
	static void start() {
		server = Servers.start(Duration.ofSeconds(2));
	}

	@AfterAll
	static void stop() {
		Servers.stop(server);
	}

	@Test
	void callerHasTheAnswerWhenItsTaskEnds() {
		on(own(server.getPort()), (records) -> {
			CompletableFuture<Written> taken = write(records, change("here", new Expected.Absent()), WAITS);
			assertThat(taken).isCompletedWithValueMatching(Written.Done.class::isInstance);
			CompletableFuture<Written> again = write(records, change("here", new Expected.Absent()), WAITS);
			assertThat(again).isCompletedWithValueMatching(Written.Lost.class::isInstance);
			Change next = change("here", new Expected.At(((Written.Done) taken.join()).version()));
			assertThat(write(records, next, WAITS)).isCompletedWithValueMatching(Written.Done.class::isInstance);
		});
	}

	@Test
	void messageToADeadProcessLosesAllTheSame() {
		on(own(server.getPort()), (records) -> {
			Change change = change("mail", new Expected.Absent(), List.of(new Message("gone.1-1", "gone", "hello")));
			assertThat(write(records, change, WAITS).orTimeout(10, TimeUnit.SECONDS).join())
				.isInstanceOf(Written.Lost.class);
		});
	}

	@Test
	void impatientCallerExecutesNothing() {
		on(own(server.getPort()), (records) -> {
			CallingThread impatient = new CallingThread() {

				@Override
				public boolean offer(Runnable task) {
					throw new AssertionError("offered");
				}

				@Override
				public long patienceNanos() {
					return SETTINGS.commandTimeout().toNanos() - 1;
				}

			};
			assertThat(write(records, change("impatient", new Expected.Absent()), impatient)
				.orTimeout(10, TimeUnit.SECONDS)
				.join()).isInstanceOf(Written.Done.class);
		});
	}

	@Test
	void callerOfAClientWithoutALimitExecutesNothing() {
		try (CuratorFramework client = Servers.client(server.getConnectString())
			.retryPolicy((count, elapsed, sleeper) -> false)
			.build()) {
			client.start();
			on(new Client.Shared(client),
					(records) -> assertThat(write(records, change("unlimited", new Expected.Absent()), (task) -> {
						throw new AssertionError("offered");
					}).orTimeout(10, TimeUnit.SECONDS).join()).isInstanceOf(Written.Done.class));
		}
	}

	@Test
	void serverThatHangsHoldsNobodyLongerThanTheCommandTimeout() {
		try (Link link = Link.to(server.getPort())) {
			on(own(link.port()), (records) -> {
				link.cut();
				long before = System.nanoTime();
				CompletableFuture<Written> late = write(records, change("hangs", new Expected.Absent()), WAITS);
				Duration took = Duration.ofNanos(System.nanoTime() - before);
				assertThat(late).isCompletedExceptionally();
				assertThat(failure(late)).isInstanceOf(TransientStoreException.class)
					.hasMessageContaining("did not answer within 2000 ms");
				assertThat(took).isLessThan(SETTINGS.commandTimeout().plusSeconds(1));
				link.restore();
				Awaitility.await()
					.atMost(Duration.ofSeconds(20))
					.until(() -> !write(records, change("after", new Expected.Absent()), WAITS)
						.isCompletedExceptionally());
			});
		}
	}

	@Test
	void interruptIsNeitherLostNorAnAnswer() throws Exception {
		try (Link link = Link.to(server.getPort())) {
			on(own(link.port()), (records) -> {
				link.cut();
				Thread.currentThread().interrupt();
				CompletableFuture<Written> unknown = write(records, change("interrupt", new Expected.Absent()), WAITS);
				assertThat(Thread.interrupted()).isTrue();
				assertThat(failure(unknown)).isInstanceOf(TransientStoreException.class);
				link.restore();
			});
		}
	}

	private static Client own(int port) {
		return Client.Own.of(Servers.client("127.0.0.1:" + port), SETTINGS);
	}

	private static void on(Client client, Consumer<ZooKeeperLockRecords> test) {
		ZooKeeperLockRecords records = new ZooKeeperLockRecords(client, SETTINGS);
		records.start("me", new RecordEvents() {

			@Override
			public void message(String text, long stamp) {
				// Nobody waits.
			}

			@Override
			public void missed() {
				// Nobody waits.
			}

		});
		try {
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> records.estimate().isPresent());
			test.accept(records);
		}
		finally {
			records.stop();
		}
	}

	private static CompletableFuture<Written> write(ZooKeeperLockRecords records, Change change, CallingThread caller) {
		return records.write(change, caller).toCompletableFuture();
	}

	private static Throwable failure(CompletableFuture<Written> answer) {
		return answer.handle((written, failure) -> Optional.ofNullable(failure)).join().orElseThrow();
	}

	private static Change change(String key, Expected expected) {
		return change(key, expected, List.of());
	}

	private static Change change(String key, Expected expected, List<Message> messages) {
		return new Change(key, expected, "text", false, 0, 0, Long.MIN_VALUE, Long.MAX_VALUE, messages,
				new Summary("", 0, 0));
	}

}
