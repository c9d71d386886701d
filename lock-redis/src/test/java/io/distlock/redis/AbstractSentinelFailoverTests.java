package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.test.redis.RedisSentinel;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Another master takes over while locks are held and wanted. */
@Execution(ExecutionMode.CONCURRENT)
abstract class AbstractSentinelFailoverTests {

	/** Far less than the seldom poll, and enough to find the new master. */
	private static final Duration SOON = Duration.ofSeconds(60);

	/**
	 * A Sentinel that could not run for two seconds starts no failover for half a minute.
	 */
	private static final Duration LEASE = Duration.ofMinutes(5);

	/** Of holds that outlast a failover, on a busy machine too. */
	private static final LockSettings LASTING = LockSettings.builder()
		.leaseTime(LEASE)
		.commandTimeout(Duration.ofSeconds(5))
		.build();

	private static final LockSettings LASTING_PATIENT = LockSettings.builder()
		.leaseTime(LEASE)
		.commandTimeout(TemplatesUnderTest.PATIENT.commandTimeout())
		.build();

	private final String key = "failover:" + UUID.randomUUID();

	/** Connects as an application or its locks do. */
	abstract Way.Opened connect(RedisSentinel sentinel);

	@Test
	void locksWorkAgainWhenMasterWasKilled() throws Exception {
		locksWorkAgain(RedisSentinel.start(), RedisServer::kill);
	}

	/** Its renewal is due much later, and the former master ends after ten seconds. */
	@Test
	void holdThatTheNewMasterDoesNotKnowIsLostAtOnceWhenMastersHandOver() {
		RedisSentinel sentinel = RedisSentinel.start();
		try (sentinel;
				Way.Opened connections = connect(sentinel);
				TemplatesUnderTest templates = new TemplatesUnderTest(connections.factory(),
						RedisLockStoreSettings.DEFAULTS)) {
			CloseableLockTemplate template = templates.add(LASTING_PATIENT);
			RedisServer former = sentinel.master();
			RedisServer successor = sentinel.replica();
			LockHandle known = template.acquire(LockRequest.of("known:" + this.key));
			LockHandle unknown = template.acquire(LockRequest.of(this.key));
			await().until(() -> successor.command("EXISTS", "lk:" + this.key).equals("1"));
			successor.command("CONFIG", "SET", "replica-read-only", "no");
			successor.command("DEL", "lk:" + this.key);
			sentinel.failover();
			await().atMost(Duration.ofSeconds(30)).until(() -> !unknown.isHeld());
			await().atMost(SOON).until(() -> listens(successor, template));
			template.acquire(LockRequest.of("next:" + this.key)).close();
			assertThat(successor.command("EXISTS", "lk:next:" + this.key)).isEqualTo("1");
			assertThat(former.command("ROLE")).startsWith("master");
			assertThat(known.isHeld()).isTrue();
			known.close();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(unknown::close)
				.satisfies((loss) -> assertThat(loss.reason()).isEqualTo(LossReason.TAKEN));
		}
	}

	final void locksWorkAgain(RedisSentinel sentinel, Consumer<RedisServer> fault) throws Exception {
		try (sentinel;
				Way.Opened connections = connect(sentinel);
				TemplatesUnderTest usual = new TemplatesUnderTest(connections.factory(),
						RedisLockStoreSettings.DEFAULTS);
				TemplatesUnderTest seldom = new TemplatesUnderTest(connections.factory(), TemplatesUnderTest.SELDOM)) {
			CloseableLockTemplate one = usual.add(LASTING);
			CloseableLockTemplate two = usual.add(LASTING);
			CloseableLockTemplate three = seldom.add(LASTING);
			RedisServer former = sentinel.master();
			LockHandle held = TemplatesUnderTest.acquired(() -> one.acquire(this.key));
			// It waits on until the new master answers, and the lock is held until then.
			FutureTask<Long> waiter = TemplatesUnderTest.waiter(two, this.key, SOON.multipliedBy(3));
			awaitQueued(sentinel.replica(), two);
			fault.accept(former);
			sentinel.awaitOtherMasterThan(former);
			TemplatesUnderTest.awaitWorking(one, "again:" + this.key);
			TemplatesUnderTest.awaitWorking(three, "again:" + this.key);
			await().atMost(SOON).until(() -> listens(sentinel.master(), three));
			assertThat(held.isHeld()).isTrue();
			FutureTask<Long> pushed = TemplatesUnderTest.waiter(three, this.key);
			awaitQueued(sentinel.master(), three);
			held.close();
			long token = TemplatesUnderTest.get(pushed, SOON);
			assertThat(token).isGreaterThan(held.fencingToken());
			assertServedOrTold(waiter);
			LockHandle next = TemplatesUnderTest.acquired(() -> one.acquire(this.key));
			assertThat(next.fencingToken()).isGreaterThan(token);
		}
	}

	/** Never busy: nobody knows while the master is away. */
	private static void assertServedOrTold(FutureTask<Long> waiter) throws Exception {
		try {
			assertThat(TemplatesUnderTest.get(waiter, SOON)).isPositive();
		}
		catch (ExecutionException ex) {
			assertThat(ex).hasCauseInstanceOf(LockStoreException.class);
		}
	}

	private void awaitQueued(RedisServer server, CloseableLockTemplate waiting) {
		await().until(() -> server.command("HKEYS", "lk:" + this.key).contains("w:" + waiting.instance()));
	}

	private static boolean listens(RedisServer server, CloseableLockTemplate template) {
		return server.command("PUBSUB", "NUMSUB", StoreUnderTest.channel(template.instance())).endsWith("\n1");
	}

}
