package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Message;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.records.place.RecordEvents;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Writes that send messages to other processes, dead ones and very many. */
class WritesWithMessagesTests {

	/** With time for a machine that runs many tests at once. */
	private static final ZooKeeperLockStoreSettings SETTINGS = ZooKeeperLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(10))
		.build();

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
	void messageToADeadProcessLosesAllTheSame() {
		on((records) -> assertThat(write(records, "text", List.of(new Message("gone.1-1", "gone", "hello"))))
			.isInstanceOf(Written.Lost.class));
	}

	/** A server closes the connection of a client that sends more than 1 MB. */
	@Test
	void messagesToManyProcessesFitIntoOneRequest() throws Exception {
		try (CuratorFramework others = Servers.client(server.getConnectString())
			.retryPolicy(new RetryOneTime(100))
			.build()) {
			others.start();
			on((records) -> {
				List<Message> messages = IntStream.range(0, 120)
					.mapToObj((i) -> new Message("other.1-" + i, "other" + i, "hello"))
					.toList();
				messages.forEach((message) -> createMailbox(others, message.incarnation()));
				assertThat(write(records, "x".repeat(10_000), messages)).isInstanceOf(Written.Done.class);
			});
		}
	}

	/** The key of a lock may come from a user, and is part of each message. */
	@Test
	void messagesThatAreTooLongAreLeftOut() throws Exception {
		try (CuratorFramework others = Servers.client(server.getConnectString())
			.retryPolicy(new RetryOneTime(100))
			.build()) {
			others.start();
			createMailbox(others, "long.1-1");
			on((records) -> {
				List<Message> messages = List.of(new Message("long.1-1", "long", "W;" + "k".repeat(2_000_000) + ";"),
						new Message("long.1-1", "long", "hello"));
				assertThat(write(records, "text", messages)).isInstanceOf(Written.Done.class);
			});
			assertThat(Mailbox.messages(others.getData().forPath(new Znodes("", SETTINGS.root()).mail("long.1-1"))))
				.containsExactly("hello");
		}
	}

	private static void createMailbox(CuratorFramework client, String incarnation) {
		try {
			client.create().forPath(new Znodes("", SETTINGS.root()).mail(incarnation));
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	private static void on(Consumer<ZooKeeperLockRecords> test) {
		ZooKeeperLockRecords records = new ZooKeeperLockRecords(
				Client.Own.of(Servers.client(server.getConnectString()), SETTINGS), SETTINGS);
		records.start("me", new RecordEvents() {

			@Override
			public void message(String text) {
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

	private static Written write(ZooKeeperLockRecords records, String text, List<Message> messages) {
		Change change = new Change(UUID.randomUUID().toString(), new Expected.Absent(), text, false, 0, 0,
				Long.MIN_VALUE, Long.MAX_VALUE, messages, new Summary("", 0, 0));
		return records.write(change).toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
	}

}
