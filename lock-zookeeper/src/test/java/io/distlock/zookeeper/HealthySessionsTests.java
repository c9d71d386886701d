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
import io.distlock.databases.ZooKeeperServer;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.Pause;
import io.distlock.test.Standstill;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Nothing is lost while the servers are healthy, whatever the session and the lease: a
 * session is believed in for a part of its timeout only, and servers may shorten it.
 */
@Tag("ci")
class HealthySessionsTests {

	private static final boolean FULL = "full".equals(System.getProperty("reliability.pass"));

	/** Twice this is longer than a third of the default lease, and than most sessions. */
	private static final Duration HELD = FULL ? Duration.ofMinutes(3) : Duration.ofSeconds(6);

	/** In every build no lease is so short that a busy machine may miss a renewal. */
	private static final Duration SHORT_LEASE = Duration.ofSeconds(FULL ? 3 : 15);

	private static final Duration DEFAULT_LEASE = LockSettings.DEFAULTS.leaseTime();

	@Test
	void locksAreKeptForAsLongAsTheyWereAskedFor() throws Exception {
		try (ZooKeeperServer quick = server(Duration.ofMillis(500));
				ZooKeeperServer usual = server(Duration.ofSeconds(2))) {
			List<Process> processes = new ArrayList<>();
			try {
				Stream.of(8, 30).forEach((session) -> processes.add(new Process(quick, session, DEFAULT_LEASE)));
				Stream.of(8, 12, 15, 20, 60)
					.forEach((session) -> processes.add(new Process(usual, session, DEFAULT_LEASE)));
				processes.add(new Process(quick, 8, SHORT_LEASE));
				processes.add(new Process(usual, 12, SHORT_LEASE));
				processes.add(new Process(quick, 8, Duration.ofHours(1)));
				processes.add(new Process(usual, 20, Duration.ofHours(1)));
				if (FULL) {
					// Shorter than a busy machine may take for a heartbeat.
					processes.add(new Process(quick, 2, DEFAULT_LEASE));
					processes.add(new Process(quick, 4, DEFAULT_LEASE));
					processes.add(new Process(usual, 4, DEFAULT_LEASE));
					processes.add(new Process(quick, 2, SHORT_LEASE));
					processes.add(new Process(quick, 2, Duration.ofHours(1)));
				}
				processes.forEach((process) -> Servers.awaitAnswer(process.template));
				Standstill.repeat(() -> keep(processes));
			}
			finally {
				processes.forEach((process) -> process.template.close());
			}
		}
	}

	/** Servers allow sessions of 2 to 20 ticks. */
	private static ZooKeeperServer server(Duration tick) {
		return ZooKeeperServer.start(tick, tick.multipliedBy(20));
	}

	private static void keep(List<Process> processes) throws Exception {
		List<Kept> kept = new ArrayList<>();
		try {
			for (Process process : processes) {
				process.acquire(kept);
			}
			Pause.of(HELD);
			// Once the session is not new any more, less of it is sure.
			for (Process process : processes) {
				kept.add(process.keep("late one", null));
			}
			Pause.of(HELD);
			assertThat(kept.stream().map(Kept::violation).filter((violation) -> !violation.isEmpty())).isEmpty();
		}
		finally {
			kept.forEach(Kept::close);
		}
	}

	/** A process with locks of many leases. */
	private static final class Process {

		private final CloseableLockTemplate template;

		private final String name;

		Process(ZooKeeperServer server, int sessionSeconds, Duration lease) {
			this.name = "session of " + sessionSeconds + " s, lease of " + lease;
			Duration timeout = lease.dividedBy(3);
			Duration commandTimeout = (timeout.compareTo(Duration.ofSeconds(5)) < 0) ? timeout : Duration.ofSeconds(5);
			this.template = LockTemplateBuilder
				.forStore(new ZooKeeperLockStore(Servers.client(server.address()),
						Servers.settings()
							.sessionTimeout(Duration.ofSeconds(sessionSeconds))
							.commandTimeout(commandTimeout)
							.build()))
				.settings(LockSettings.builder().leaseTime(lease).commandTimeout(commandTimeout).build())
				.build();
		}

		void acquire(List<Kept> kept) throws Exception {
			kept.add(keep("renewed one", null));
			for (int seconds : new int[] { 1, 10, 300, 3600 }) {
				kept.add(keep("fixed " + seconds + " s", Duration.ofSeconds(seconds)));
			}
			Kept extended = keep("extended one", Duration.ofSeconds(5));
			extended.handle.extend(Duration.ofMinutes(5));
			kept.add(new Kept(extended.what, extended.handle, Duration.ofMinutes(5), extended.begun));
			kept.add(ofEndedThread());
		}

		private Kept keep(String what, Duration fixed) throws Exception {
			LockRequest request = LockRequest.of(this.name + ", " + what).waitAtMost(Duration.ofSeconds(60));
			long begun = System.nanoTime();
			LockHandle handle = this.template.acquireAsync((fixed != null) ? request.leaseFor(fixed) : request)
				.toCompletableFuture()
				.get(90, TimeUnit.SECONDS);
			return new Kept(handle.key(), handle, (fixed != null) ? fixed : Duration.ofDays(1), begun);
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
			long begun = System.nanoTime();
			thread.start();
			LockHandle handle = acquired.get(90, TimeUnit.SECONDS);
			thread.join();
			return new Kept(handle.key(), handle, Duration.ofMinutes(5), begun);
		}

	}

	/** A lock that is to be kept for some time. */
	private static final class Kept {

		/** The drift of clocks. */
		private static final Duration TOLERANCE = Duration.ofMillis(500);

		private final Queue<Duration> lostAfter = new ConcurrentLinkedQueue<>();

		private final String what;

		private final LockHandle handle;

		private final Duration wanted;

		/** Before it was asked for. */
		private final long begun;

		Kept(String what, LockHandle handle, Duration wanted, long begun) {
			this.what = what;
			this.handle = handle;
			this.wanted = wanted;
			this.begun = begun;
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
