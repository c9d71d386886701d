package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockListener;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockSettings;
import io.distlock.LockTemplateBuilder;
import io.distlock.LossReason;
import io.distlock.operations.ForcedRelease;
import io.distlock.operations.LockOperations;
import io.distlock.test.ChildJvm;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An operator in another process releases a lock by force again and again while processes
 * contend for it. More releases: {@code -Dforced.releases=1000}.
 */
class ForcedReleaseTests {

	private static final int RELEASES = Integer.getInteger("forced.releases", 60);

	private static final String KEY = "hot";

	private static final LockSettings PATIENT = LockSettings.builder()
		.waitTime(Duration.ofMinutes(1))
		.commandTimeout(Duration.ofSeconds(10))
		.build();

	/** A message and a round trip, on a machine that has better things to do. */
	private static final Duration NOTIFIED = Duration.ofSeconds(20);

	@Test
	void tokensRiseAndNobodyIsStuckWhileAnotherProcessReleasesByForce() throws Exception {
		try (RedisServer server = RedisServer.start()) {
			Set<Long> seen = ConcurrentHashMap.newKeySet();
			AtomicInteger forced = new AtomicInteger();
			AtomicLong lastGrant = new AtomicLong(System.nanoTime());
			AtomicLong longestGap = new AtomicLong();
			AtomicBoolean over = new AtomicBoolean();
			List<String> violations = new CopyOnWriteArrayList<>();
			List<CloseableLockTemplate> templates = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				templates.add(template(server, new LockListener() {

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
								long now = System.nanoTime();
								longestGap.accumulateAndGet(now - lastGrant.getAndSet(now), Math::max);
								if (!seen.add(handle.fencingToken())) {
									violations.add("token " + handle.fencingToken() + " twice");
								}
								hold(handle, over);
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
			}
			over.set(true);
			templates.forEach(CloseableLockTemplate::close);
			LoggerFactory.getLogger("operations")
				.info("{} releases, {} losses noticed before the release, {} grants, longest gap {} ms", RELEASES,
						forced, seen.size(), longestGap.get() / 1_000_000);
			assertThat(violations).isEmpty();
			assertThat(forced.get()).as("holders that learned it").isGreaterThan(RELEASES / 2);
			assertThat(longestGap.get()).as("the queue goes on").isLessThan(NOTIFIED.toNanos());
		}
	}

	/** Until it is released by force; each tenth lets go by itself. */
	private static void hold(LockHandle handle, AtomicBoolean over) {
		long until = System.nanoTime() + ((handle.fencingToken() % 10 == 0) ? 0 : NOTIFIED.toNanos());
		while (handle.isHeld() && System.nanoTime() - until < 0 && !over.get()) {
			Thread.onSpinWait();
			Thread.yield();
		}
	}

	private static CloseableLockTemplate template(RedisServer server, LockListener listener) {
		return LockTemplateBuilder.forStore(store(server.host(), server.port()))
			.settings(PATIENT)
			.listener(listener)
			.build();
	}

	private static RedisLockStore store(String host, int port) {
		return new RedisLockStore(Client.LETTUCE.connect(new RedisStandaloneConfiguration(host, port)));
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
			while (left > 0) {
				ForcedRelease release = operations.forceRelease(KEY, "again");
				if (!release.ended().isEmpty()) {
					left--;
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
