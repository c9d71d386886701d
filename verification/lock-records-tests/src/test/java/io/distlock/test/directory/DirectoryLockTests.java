package io.distlock.test.directory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.spi.LockStore;
import io.distlock.test.ChildJvm;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** The example of {@code docs/own-store.md}, with several processes. */
@Tag("ci")
class DirectoryLockTests {

	private static final int EACH = 50;

	@TempDir
	Path directory;

	private static CloseableLockTemplate template(Path directory) {
		// tag::use[]
		LockStore store = new RecordLockStore(new DirectoryLockRecords(directory), RecordSettings.POLLED);
		// end::use[]
		return LockTemplateBuilder.forStore(store)
			.settings(LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build())
			.build();
	}

	@Test
	void processesCountInTurn() {
		List<ChildJvm> processes = Stream
			.generate(() -> ChildJvm.of(Counting.class).args(this.directory.toString()).start())
			.limit(2)
			.toList();
		try {
			processes.forEach(
					(process) -> assertThat(process.awaitExit(Duration.ofSeconds(60))).as(process.output()).isZero());
			assertThat(Counting.read(this.directory)).isEqualTo(2 * EACH);
		}
		finally {
			processes.forEach(ChildJvm::close);
		}
	}

	@Test
	void theLockOfAKilledProcessIsFreeAfterItsLease() {
		try (ChildJvm holder = ChildJvm.of(Holding.class).args(this.directory.toString()).start();
				CloseableLockTemplate template = template(this.directory)) {
			Awaitility.await()
				.atMost(Duration.ofSeconds(60))
				.untilAsserted(() -> assertThat(holder.output()).contains("holds"));
			holder.kill();
			try (LockHandle next = template.acquire(LockRequest.of("held").waitAtMost(Duration.ofSeconds(60)))) {
				assertThat(next.isHeld()).isTrue();
			}
		}
	}

	/** Reads a number and writes the next one, again and again. */
	static final class Counting {

		private Counting() {
		}

		static int read(Path directory) {
			try {
				Path counter = directory.resolve("counter");
				return Files.exists(counter) ? Integer.parseInt(Files.readString(counter)) : 0;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		public static void main(String[] arguments) throws IOException {
			Path directory = Path.of(arguments[0]);
			try (CloseableLockTemplate template = template(directory)) {
				for (int i = 0; i < EACH; i++) {
					try (LockHandle handle = template
						.acquire(LockRequest.of("counter").waitAtMost(Duration.ofSeconds(60)))) {
						Files.writeString(directory.resolve("counter"), Integer.toString(read(directory) + 1));
					}
				}
			}
		}

	}

	/** Holds a lock until it is killed. */
	static final class Holding {

		private Holding() {
		}

		public static void main(String[] arguments) throws InterruptedException {
			template(Path.of(arguments[0])).acquire(LockRequest.of("held").leaseFor(Duration.ofSeconds(5)));
			System.out.println("holds");
			Thread.currentThread().join();
		}

	}

}
