package io.distlock.zookeeper;

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
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Writes that send messages to other processes, dead ones and very many. */
class WritesWithMessagesTests {

	private static final ZooKeeperLockStoreSettings SETTINGS = Servers.settings().root("/messages").build();

	@Test
	void messageToADeadProcessLosesAllTheSame() {
		on((records) -> assertThat(write(records, "text", List.of(new Message("gone.1-1", "gone", "hello"))))
			.isInstanceOf(Written.Lost.class));
	}

	/** A server closes the connection of a client that sends more than 1 MB. */
	@Test
	void messagesToManyProcessesFitIntoOneRequest() throws Exception {
		try (CuratorFramework others = Servers.started(Servers.client(Servers.shared().address()))) {
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
		try (CuratorFramework others = Servers.started(Servers.client(Servers.shared().address()))) {
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
		ZooKeeperLockRecords records = Servers.records(Servers.client(Servers.shared().address()), SETTINGS);
		try {
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
