package io.distlock.zookeeper;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.databases.Wire;
import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import org.apache.zookeeper.client.ZKClientConfig;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** An answer that is late concerns its own command, and no other lock of the process. */
class LateAnswersTests {

	private static final ZooKeeperLockStoreSettings SETTINGS = Servers.settings()
		.root("/late")
		.commandTimeout(Duration.ofSeconds(1))
		.build();

	private static final CallingThread WAITS = (task) -> {
		task.run();
		return true;
	};

	@Test
	void lateAnswerLeavesTheConnection() {
		try (Wire link = new Wire(Servers.shared().port())) {
			ZKClientConfig given = new ZKClientConfig();
			String limit = given.getProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT);
			ZooKeeperLockRecords records = Servers
				.records(Servers.client("127.0.0.1:" + link.port()).zkClientConfig(given), SETTINGS);
			try {
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
