package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.records.place.RecordEvents;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.client.ZKClientConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An answer that is late concerns its own command, and no other lock of the process. */
class LateAnswersTests {

	private static final ZooKeeperLockStoreSettings SETTINGS = ZooKeeperLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(1))
		.build();

	private static final CallingThread WAITS = (task) -> {
		task.run();
		return true;
	};

	private static final RecordEvents NOBODY = new RecordEvents() {

		@Override
		public void message(String text) {
			// Nobody waits.
		}

		@Override
		public void missed() {
			// Nobody waits.
		}

	};

	@Test
	void lateAnswerLeavesTheConnection() {
		TestingServer server = Servers.start(Duration.ofSeconds(2));
		try (Link link = Link.to(server.getPort())) {
			ZKClientConfig given = new ZKClientConfig();
			String limit = given.getProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT);
			ZooKeeperLockRecords records = new ZooKeeperLockRecords(
					Client.Own.of(Servers.client("127.0.0.1:" + link.port()).zkClientConfig(given), SETTINGS),
					SETTINGS);
			records.start("me", NOBODY);
			try {
				Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> records.estimate().isPresent());
				awaitWritten(records, "before");
				long connections = link.connections();
				link.cut();
				assertThatExceptionOfType(CompletionException.class)
					.isThrownBy(() -> write(records, "late").orTimeout(20, TimeUnit.SECONDS).join())
					.withCauseInstanceOf(TransientStoreException.class)
					.withMessageContaining("did not answer within 1000 ms");
				link.restore();
				awaitWritten(records, "after");
				assertThat(link.connections()).isEqualTo(connections);
				assertThat(given.getProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT)).isEqualTo(limit);
			}
			finally {
				records.stop();
			}
		}
		finally {
			Servers.stop(server);
		}
	}

	/** The first one of a JVM may take longer than a command may. */
	private static void awaitWritten(ZooKeeperLockRecords records, String key) {
		AtomicInteger attempts = new AtomicInteger();
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.ignoreExceptions()
			.until(() -> write(records, key + attempts.incrementAndGet()).orTimeout(20, TimeUnit.SECONDS)
				.join() instanceof Written.Done);
	}

	private static CompletableFuture<Written> write(ZooKeeperLockRecords records, String key) {
		Change change = new Change(key, new Expected.Absent(), "text", false, 0, 0, Long.MIN_VALUE, Long.MAX_VALUE,
				List.of(), new Summary("", 0, 0));
		return records.write(change, WAITS).toCompletableFuture();
	}

}
