package io.distlock.zookeeper;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is lost while the servers are healthy, whatever the session and the lease: a
 * session is believed in for a part of its timeout only, and servers may shorten it.
 */
class HealthySessionsTests {

	private static final boolean FULL = "full".equals(System.getProperty("reliability.pass"));

	/** Twice this is longer than a third of the default lease, and than most sessions. */
	private static final Duration HELD = FULL ? Duration.ofMinutes(3) : Duration.ofSeconds(6);

	private static final Duration DEFAULT_LEASE = LockSettings.DEFAULTS.leaseTime();

	@Test
	void locksAreKeptForAsLongAsTheyWereAskedFor() throws Exception {
		try (TestingServer quick = server(500); TestingServer usual = server(2000)) {
			List<Process> processes = new ArrayList<>();
			try {
				Stream.of(2, 4, 8, 30).forEach((session) -> processes.add(new Process(quick, session, DEFAULT_LEASE)));
				Stream.of(4, 8, 12, 15, 20, 60)
					.forEach((session) -> processes.add(new Process(usual, session, DEFAULT_LEASE)));
				processes.add(new Process(quick, 2, Duration.ofSeconds(3)));
				processes.add(new Process(usual, 12, Duration.ofSeconds(3)));
				processes.add(new Process(quick, 2, Duration.ofHours(1)));
				processes.add(new Process(usual, 20, Duration.ofHours(1)));
				processes.forEach(Process::awaitAnswer);
				Standstill.repeat(() -> keep(processes));
			}
			finally {
				processes.forEach((process) -> process.template.close());
			}
		}
	}

	/** Servers allow sessions of 2 to 20 ticks. */
	private static TestingServer server(int tickMillis) throws Exception {
		return new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, tickMillis, 1000), true);
	}

	private static void keep(List<Process> processes) throws Exception {
		List<Kept> kept = new ArrayList<>();
		for (Process process : processes) {
			kept.addAll(process.acquire());
		}
		Pause.of(HELD);
		// Once the session is not new any more, less of it is sure.
		for (Process process : processes) {
			kept.add(process.keep("late one", null));
		}
		Pause.of(HELD);
		List<String> lost = kept.stream().map(Kept::violation).filter((violation) -> !violation.isEmpty()).toList();
		kept.forEach(Kept::close);
		assertThat(lost).isEmpty();
	}

	/** A process with locks of many leases. */
	private static final class Process {

		private final CloseableLockTemplate template;

		private final String name;

		Process(TestingServer server, int sessionSeconds, Duration lease) {
			this.name = "session of " + sessionSeconds + " s, lease of " + lease;
			Duration timeout = lease.dividedBy(3);
			Duration commandTimeout = (timeout.compareTo(Duration.ofSeconds(2)) < 0) ? timeout : Duration.ofSeconds(2);
			this.template = LockTemplateBuilder
				.forStore(new ZooKeeperLockStore(Servers.client(server.getConnectString()),
						Servers.settings()
							.sessionTimeout(Duration.ofSeconds(sessionSeconds))
							.commandTimeout(commandTimeout)
							.build()))
				.settings(LockSettings.builder().leaseTime(lease).commandTimeout(commandTimeout).build())
				.build();
		}

		void awaitAnswer() {
			Awaitility.await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
				this.template.acquire(LockRequest.of(this.name)).close();
				return true;
			});
		}

		List<Kept> acquire() throws Exception {
			List<Kept> kept = new ArrayList<>();
			kept.add(keep("renewed one", null));
			for (int seconds : new int[] { 1, 10, 300, 3600 }) {
				kept.add(keep("fixed " + seconds + " s", Duration.ofSeconds(seconds)));
			}
			Kept extended = keep("extended one", Duration.ofSeconds(5));
			extended.handle.extend(Duration.ofMinutes(5));
			kept.add(new Kept(extended.what, extended.handle, Duration.ofMinutes(5)));
			kept.add(ofEndedThread());
			return kept;
		}

		private Kept keep(String what, Duration fixed) throws Exception {
			LockRequest request = LockRequest.of(this.name + ", " + what).waitAtMost(Duration.ofSeconds(60));
			LockHandle handle = this.template.acquireAsync((fixed != null) ? request.leaseFor(fixed) : request)
				.toCompletableFuture()
				.get(90, TimeUnit.SECONDS);
			return new Kept(handle.key(), handle, (fixed != null) ? fixed : Duration.ofDays(1));
		}

		private Kept ofEndedThread() throws Exception {
			CompletableFuture<LockHandle> acquired = new CompletableFuture<>();
			LockRequest request = LockRequest.of(this.name + ", of a thread that has ended")
				.leaseFor(Duration.ofMinutes(5));
			Thread thread = new Thread(() -> {
				try {
					acquired.complete(this.template.acquire(request));
				}
				catch (RuntimeException ex) {
					acquired.completeExceptionally(ex);
				}
			});
			thread.start();
			LockHandle handle = acquired.get(90, TimeUnit.SECONDS);
			thread.join();
			return new Kept(handle.key(), handle, Duration.ofMinutes(5));
		}

	}

	/** A lock that is to be kept for some time. */
	private static final class Kept {

		/** Between the grant and its arrival here, and the drift of clocks. */
		private static final Duration TOLERANCE = Duration.ofMillis(500);

		private final Queue<Duration> lostAfter = new ConcurrentLinkedQueue<>();

		private final long begun = System.nanoTime();

		private final String what;

		private final LockHandle handle;

		private final Duration wanted;

		Kept(String what, LockHandle handle, Duration wanted) {
			this.what = what;
			this.handle = handle;
			this.wanted = wanted;
			handle.onLost((lost) -> this.lostAfter.add(held()));
		}

		private Duration held() {
			return Duration.ofNanos(System.nanoTime() - this.begun);
		}

		/** Says if it was lost too early, or is still held too late. */
		String violation() {
			Duration lost = this.lostAfter.peek();
			if (lost != null && lost.compareTo(this.wanted.minus(TOLERANCE)) < 0) {
				return this.what + ": lost after " + lost.toMillis() + " ms";
			}
			boolean over = held().compareTo(this.wanted) > 0;
			return (over && this.handle.isHeld()) ? this.what + ": held after " + held().toMillis() + " ms" : "";
		}

		void close() {
			if (this.handle.isHeld()) {
				this.handle.close();
			}
		}

	}

}
