package io.distlock.line;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.distlock.test.ChildJvm;
import io.distlock.test.Standstill;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Real processes on a real Redis, one of them killed while it holds the lock. */
@Tag("ci")
class ContendingProcessesTests {

	private static final Duration LEASE = Duration.ofSeconds(15);

	/** The delay that other builds on this machine may cause. */
	private static final Duration LOAD = Duration.ofSeconds(10);

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private static final int STEPS = 200;

	private static final int STEPS_OF_VICTIM = 30;

	@TempDir
	private Path directory;

	@Test
	void countWhenHolderIsKilledThenNothingIsLostAndNextHolderComesWithinTheLease() throws Exception {
		Path file = Files.writeString(this.directory.resolve("count"), "0 0");
		List<ChildJvm> processes = new ArrayList<>();
		try (RedisServer redis = RedisServer.start();
				ChildJvm victim = start(redis, file, STEPS_OF_VICTIM, "--count.stop-inside=true")) {
			for (int i = 0; i < 3; i++) {
				processes.add(start(redis, file, STEPS));
			}
			await().atMost(LIMIT).until(() -> victim.printed("inside"));
			await().atMost(LIMIT).until(() -> processes.stream().allMatch((process) -> process.printed("started")));
			String held = Files.readString(file);
			await().atMost(LIMIT).until(() -> held.startsWith((counted(processes) + STEPS_OF_VICTIM - 1) + " "));
			int before = counted(processes);
			victim.kill();
			Duration waited = Standstill.timed(() -> await().pollInterval(Duration.ofMillis(10))
				.atMost(LIMIT)
				.until(() -> counted(processes) > before));
			assertThat(waited).isLessThan(LEASE.plus(LOAD));
			for (ChildJvm process : processes) {
				assertThat(process.awaitExit(LIMIT)).as("%s", process.lines()).isZero();
			}
			assertThat(processes).allSatisfy((process) -> assertThat(process.printed("done")).isTrue());
			assertThat(counted(processes)).isEqualTo(3 * STEPS);
			assertThat(counted(List.of(victim))).isEqualTo(STEPS_OF_VICTIM - 1);
			assertThat(Files.readString(file)).startsWith((3 * STEPS + STEPS_OF_VICTIM - 1) + " ");
		}
		finally {
			processes.forEach(ChildJvm::close);
		}
	}

	private static ChildJvm start(RedisServer redis, Path file, int steps, String... more) {
		List<String> args = new ArrayList<>(List.of("--spring.data.redis.host=" + redis.host(),
				"--spring.data.redis.port=" + redis.port(), "--distributed-lock.lease-time=" + LEASE.toMillis() + "ms",
				"--distributed-lock.command-timeout=5s", "--count.file=" + file, "--count.steps=" + steps));
		args.addAll(List.of(more));
		return ChildJvm.of(CountingProcess.class).args(args.toArray(String[]::new)).start();
	}

	private static int counted(List<ChildJvm> processes) {
		return (int) processes.stream()
			.flatMap((process) -> process.lines().stream())
			.filter("counted"::equals)
			.count();
	}

}
