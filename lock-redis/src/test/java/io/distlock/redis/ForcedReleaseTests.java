package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockSettings;
import io.distlock.LossReason;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.observe.LockObserver;
import io.distlock.operations.ForcedRelease;
import io.distlock.operations.LockOperations;
import io.distlock.test.ChildJvm;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator in another process releases a lock by force again and again while processes
 * contend for it. More releases: {@code -Dforced.releases=1000}.
 */
@Tag("ci")
class ForcedReleaseTests {

	private static final int RELEASES = Integer.getInteger("forced.releases", 60);

	private static final String KEY = "hot";

	private static final LockSettings PATIENT = LockSettings.builder()
		.waitTime(Duration.ofMinutes(1))
		.commandTimeout(Duration.ofSeconds(10))
		.build();

	/** For how long a holder waits to learn of it, twice as long as until its renewal. */
	private static final Duration PATIENCE = Duration.ofSeconds(20);

	/**
	 * A message and a round trip, on a machine that has better things to do, but less
	 * than the ten seconds until the next renewal.
	 */
	private static final Duration NOTIFIED = Duration.ofSeconds(8);

	@Test
	void tokensRiseAndNobodyIsStuckWhileAnotherProcessReleasesByForce() throws Exception {
		try (RedisServer server = RedisServer.start()) {
			ConcurrentNavigableMap<Long, Long> grants = new ConcurrentSkipListMap<>();
			ConcurrentMap<Long, Long> ends = new ConcurrentHashMap<>();
			AtomicInteger forced = new AtomicInteger();
			AtomicBoolean over = new AtomicBoolean();
			List<String> violations = new CopyOnWriteArrayList<>();
			List<CloseableLockTemplate> templates = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				templates.add(template(server, new LockObserver() {

					@Override
					public void lost(LockLoss loss) {
						forced.addAndGet((loss.reason() == LossReason.FORCED) ? 1 : 0);
					}

				}));
			}
			for (CloseableLockTemplate template : templates) {
				for (int t = 0; t < 3; t++) {
					TestThreads.runInThread(() -> {
						while (!over.get()) {
							try (LockHandle handle = template.acquire(KEY)) {
								if (grants.put(handle.fencingToken(), System.nanoTime()) != null) {
									violations.add("token " + handle.fencingToken() + " twice");
								}
								hold(handle, over);
								ends.put(handle.fencingToken(), System.nanoTime());
							}
							catch (LockLostException ex) {
								// As it should be: released by force.
							}
						}
					});
				}
			}
			try (ChildJvm operator = ChildJvm.of(Operator.class)
				.args(server.host(), String.valueOf(server.port()), String.valueOf(RELEASES))
				.start()) {
				Awaitility.await()
					.atMost(Duration.ofMinutes(4))
					.until(() -> operator.printed("over") || !operator.isAlive());
				assertThat(operator.printed("over")).as(operator.output()).isTrue();
				assertThat(operator.printed("token of a later hold is lower")).as(operator.output()).isFalse();
				assertThat(operator.printed("the queue stood still")).as(operator.output()).isFalse();
			}
			over.set(true);
			templates.forEach(CloseableLockTemplate::close);
			long believed = longestBelief(grants, ends);
			LoggerFactory.getLogger("operations")
				.info("{} releases, {} losses noticed before the release, {} grants, two believers for {} ms at most",
						RELEASES, forced, grants.size(), believed / 1_000_000);
			assertThat(violations).isEmpty();
			assertThat(forced.get()).as("holders that learned it").isGreaterThan(RELEASES / 2);
			assertThat(believed).as("the former holder learns it before its next renewal")
				.isLessThan(NOTIFIED.toNanos());
		}
	}

	/** For how long a former holder believed in its hold, when the next one had it. */
	private static long longestBelief(ConcurrentNavigableMap<Long, Long> grants, Map<Long, Long> ends) {
		return ends.entrySet().stream().mapToLong((end) -> {
			Map.Entry<Long, Long> next = grants.higherEntry(end.getKey());
			return (next != null) ? end.getValue() - next.getValue() : 0;
		}).max().orElse(0);
	}

	/** Until it is released by force; each tenth lets go by itself. */
	private static void hold(LockHandle handle, AtomicBoolean over) {
		long until = System.nanoTime() + ((handle.fencingToken() % 10 == 0) ? 0 : PATIENCE.toNanos());
		while (handle.isHeld() && System.nanoTime() - until < 0 && !over.get()) {
			Thread.onSpinWait();
			Thread.yield();
		}
	}

	private static CloseableLockTemplate template(RedisServer server, LockObserver observer) {
		return LockTemplateBuilder.forStore(store(server.host(), server.port()))
			.settings(PATIENT)
			.observer(observer)
			.build();
	}

	private static RedisLockStore store(String host, int port) {
		return new RedisLockStore(Client.LETTUCE.connect(new RedisStandaloneConfiguration(host, port)),
				SharedServers.PATIENT);
	}

	/** Looks who holds the lock, and releases it. */
	static final class Operator {

		private Operator() {
		}

		public static void main(String[] arguments) {
			CloseableLockTemplate template = LockTemplateBuilder
				.forStore(store(arguments[0], Integer.parseInt(arguments[1])))
				.settings(PATIENT)
				.build();
			LockOperations operations = LockOperations.of(template);
			int left = Integer.parseInt(arguments[2]);
			long last = 0;
			long released = 0;
			while (left > 0) {
				ForcedRelease release = operations.forceRelease(KEY, "again");
				if (!release.ended().isEmpty()) {
					left--;
					long now = System.nanoTime();
					if (last > 0 && now - released > NOTIFIED.toNanos()) {
						System.out.println("the queue stood still for " + (now - released) / 1_000_000 + " ms");
					}
					released = now;
					long token = release.ended().get(0).fencingToken();
					if (token <= last) {
						System.out.println("token of a later hold is lower: " + token + " after " + last);
					}
					last = token;
				}
			}
			System.out.println("over");
			System.exit(0);
		}

	}

}
