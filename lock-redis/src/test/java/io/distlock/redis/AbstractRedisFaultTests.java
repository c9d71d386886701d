package io.distlock.redis;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.output.Seeds;
import io.distlock.LockStoreException;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RenewResult;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.Pause;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** What only happens with a real server: faults, foreign data, lost scripts. */
@Execution(ExecutionMode.CONCURRENT)
abstract class AbstractRedisFaultTests {

	private static final String AWKWARD = "stock:{42}%";

	private final RedisServer server = RedisServer.builder()
		.args("--appendonly", "yes", "--appendfsync", "always")
		.start();

	private final String key = "stock:" + UUID.randomUUID();

	private final Client client;

	private RedisConnectionFactory factory;

	private StoreUnderTest one;

	private StoreUnderTest two;

	AbstractRedisFaultTests(Client client) {
		this.client = client;
	}

	@AfterEach
	void stop() {
		if (this.one != null) {
			this.one.close();
			this.two.close();
			Client.close(this.factory);
		}
		this.server.close();
	}

	private void start() throws Exception {
		start(StoreUnderTest.PATIENT);
	}

	private void start(RedisLockStoreSettings settings) throws Exception {
		this.factory = this.client.connect(this.server);
		this.one = new StoreUnderTest(this.factory, settings);
		this.two = new StoreUnderTest(this.factory, settings);
		// So that no test waits for a first connection, which takes its time on a busy
		// machine.
		await().ignoreExceptions().until(() -> listens(this.one));
		await().ignoreExceptions().until(() -> listens(this.two));
		await().until(() -> this.one.reconnects.get() > 0 && this.two.reconnects.get() > 0);
	}

	private static boolean listens(StoreUnderTest store) throws Exception {
		String key = "first:" + UUID.randomUUID();
		store.acquired(key, 1);
		store.finish(key, 1);
		return true;
	}

	@Test
	void finishWhenOtherWaitsThenGrantIsPushedAndHolderWasTold() throws Exception {
		start();
		long first = this.one.acquired(AWKWARD, 1).fencingToken();
		assertThat(this.two.acquire(AWKWARD, 1, true)).isInstanceOf(AcquireResult.Queued.class);
		await().untilAsserted(() -> assertThat(this.one.contended).containsExactly(AWKWARD));
		this.one.finish(AWKWARD, 1);
		await().untilAsserted(() -> assertThat(this.two.grants).hasSize(1));
		assertThat(this.two.grants.element().fencingToken()).isGreaterThan(first);
		assertThat(this.two.grants.element().remainingMillis()).isEqualTo(StoreUnderTest.LEASE.toMillis() / 3);
		assertThat(this.two.renew(AWKWARD, 1)).isInstanceOfSatisfying(RenewResult.Renewed.class,
				(renewed) -> assertThat(renewed.grant().remainingMillis()).isEqualTo(StoreUnderTest.LEASE.toMillis()));
	}

	@Test
	void renewWhenTheProcessStoodStillAfterItsGrantThenConfirmed() throws Exception {
		start();
		this.one.acquired(this.key, 1);
		this.two.acquire(this.key, 1, true);
		this.one.finish(this.key, 1);
		Pause.of(Duration.ofSeconds(2));
		assertThat(this.two.renew(this.key, 1)).isInstanceOf(RenewResult.Renewed.class);
	}

	@Test
	void acquireWhenQueuedThenPollsSoonerThanInterval() throws Exception {
		start();
		this.one.acquired(this.key, 1);
		assertThat(((AcquireResult.Queued) this.two.acquire(this.key, 1, true)).pollWithin())
			.isEqualTo(Duration.ofMillis(500));
		AtomicInteger number = new AtomicInteger(1);
		// A machine that stalls lets a short lease end before the second request comes.
		AcquireResult behind = await().until(() -> {
			String brief = this.key + number.incrementAndGet();
			this.one.send(brief, 1, Duration.ofMillis(200), true).get();
			return this.two.acquire(brief, 1, true);
		}, AcquireResult.Queued.class::isInstance);
		assertThat(((AcquireResult.Queued) behind).pollWithin()).isBetween(Duration.ofMillis(1),
				Duration.ofMillis(206));
	}

	@Test
	void acquireWhenKeyWasDeletedThenTokenStillRises() throws Exception {
		start();
		long before = this.one.acquired(this.key, 1).fencingToken();
		redis("DEL lk:" + this.key);
		assertThat(this.one.renew(this.key, 1)).isInstanceOf(RenewResult.Gone.class);
		assertThat(this.two.acquired(this.key, 1).fencingToken()).isGreaterThan(before);
	}

	@Test
	void commandsWhenScriptsWereFlushedThenWork() throws Exception {
		start();
		redis("SCRIPT FLUSH");
		this.one.acquired(this.key, 1);
		redis("SCRIPT FLUSH");
		assertThat(this.one.renew(this.key, 1)).isInstanceOf(RenewResult.Renewed.class);
		redis("SCRIPT FLUSH");
		assertThat(this.one.finish(this.key, 1)).isEqualTo(FinishResult.RELEASED);
		redis("SCRIPT FLUSH");
		assertThat(this.one.inspect(this.key).owner()).isNull();
	}

	@Test
	void commandsWhenConnectionsWereKilledThenWorkAgain() throws Exception {
		start();
		this.one.acquired(this.key, 1);
		int before = this.two.reconnects.get();
		redis("CLIENT KILL TYPE pubsub");
		redis("CLIENT KILL TYPE normal SKIPME yes");
		await().until(() -> this.two.reconnects.get() > before);
		await().ignoreExceptions()
			.until(() -> this.one.renew(this.key, 1) instanceof RenewResult.Renewed
					&& this.two.acquire(this.key, 1, true) instanceof AcquireResult.Queued);
		await().ignoreExceptions().until(() -> this.one.finish(this.key, 1) == FinishResult.RELEASED);
		await().until(() -> !this.two.grants.isEmpty());
	}

	@Test
	void commandsWhenServerIsAwayThenFailQuicklyAndRecover() throws Exception {
		start(RedisLockStoreSettings.DEFAULTS);
		long timeout = RedisLockStoreSettings.DEFAULTS.commandTimeout().toMillis();
		long token = this.one.acquired(this.key, 1).fencingToken();
		this.server.kill();
		// A command that was sent before the client noticed waits until a later one finds
		// the connection silent.
		await().untilAsserted(() -> assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(
					() -> this.two.send(this.key, 1, StoreUnderTest.LEASE, true).get(timeout, TimeUnit.MILLISECONDS))
			.withCauseInstanceOf(TransientStoreException.class));
		this.server.restart();
		await().ignoreExceptions().until(() -> this.one.renew(this.key, 1) instanceof RenewResult.Renewed);
		assertThat(this.one.finish(this.key, 1)).isEqualTo(FinishResult.RELEASED);
		assertThat(this.two.acquired(this.key, 1).fencingToken()).isGreaterThan(token);
	}

	@Test
	void startWhenServerIsAwayThenCommandsFailUntilItComes() throws Exception {
		this.server.stop();
		this.factory = this.client.connect(this.server);
		this.one = new StoreUnderTest(this.factory);
		this.two = new StoreUnderTest(this.factory);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.one.acquire(this.key, 1, true))
			.withCauseInstanceOf(TransientStoreException.class)
			.withMessageContaining(this.key);
		this.server.restart();
		await().ignoreExceptions().until(() -> this.one.acquire(this.key, 1, true) instanceof AcquireResult.Granted);
	}

	@Test
	void acquireWhenServerHangsThenCallerIsNotBlockedAndLateCopyDoesNotWin() throws Exception {
		start();
		this.server.pause();
		CompletableFuture<AcquireResult> hanging = this.one.send(this.key, 1, StoreUnderTest.LEASE, true);
		assertThat(hanging).as("returned before the command timeout").isNotDone();
		// The copy is too late by its own account, whatever the client does with it.
		Pause.of(StoreUnderTest.TIMEOUT.plusMillis(200));
		assertThat(hanging).satisfiesAnyOf((stage) -> assertThat(stage).isNotDone(),
				(stage) -> assertThat(stage).isCompletedExceptionally());
		this.server.resume();
		await().until(hanging::isDone);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(hanging::get)
			.withCauseInstanceOf(TransientStoreException.class);
		await().ignoreExceptions().untilAsserted(() -> assertThat(this.two.inspect(this.key).owner()).isNull());
	}

	@Test
	void commandsWhenMemoryIsFullThenHoldsAreMaintainedAndNewLocksRefused() throws Exception {
		start();
		this.one.acquired(this.key, 1);
		this.two.acquire(this.key, 1, true);
		redis("CONFIG SET maxmemory 1");
		assertThat(this.one.renew(this.key, 1)).isInstanceOf(RenewResult.Renewed.class);
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> this.one.acquire(this.key + "new", 1, true))
			.havingCause()
			.isInstanceOf(LockStoreException.class)
			.isNotInstanceOf(TransientStoreException.class)
			.withMessageContaining("memory");
		assertThat(redis("EXISTS lk:" + this.key + "new")).isEqualTo(":0");
		assertThat(this.one.finish(this.key, 1)).isEqualTo(FinishResult.RELEASED);
		assertThat(this.two.renew(this.key, 1)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(this.two.finish(this.key, 1)).isEqualTo(FinishResult.RELEASED);
		assertThat(this.one.finish(this.key + "new", 1)).isEqualTo(FinishResult.UNKNOWN);
	}

	@Test
	void sharedHoldsWhenMemoryIsFullThenMaintainedAndNewLocksRefused() throws Exception {
		start();
		assertThat(this.one.share(this.key, 1)).isInstanceOf(AcquireResult.Granted.class);
		this.two.acquire(this.key, 1, true);
		this.one.acquired(this.key + "behind", 1);
		this.two.share(this.key + "behind", 1);
		redis("CONFIG SET maxmemory 1");
		assertThat(this.one.renew(this.key, 1)).isInstanceOf(RenewResult.Renewed.class);
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.one.share(this.key + "new", 1))
			.havingCause()
			.isInstanceOf(LockStoreException.class)
			.withMessageContaining("memory");
		assertThat(redis("EXISTS lk:" + this.key + "new")).isEqualTo(":0");
		assertThat(this.one.finish(this.key, 1)).isEqualTo(FinishResult.RELEASED);
		assertThat(this.two.renew(this.key, 1)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(this.one.finish(this.key + "behind", 1)).isEqualTo(FinishResult.RELEASED);
		assertThat(this.two.share(this.key + "behind", 1)).isInstanceOf(AcquireResult.Granted.class);
		assertThat(this.two.renew(this.key + "behind", 1)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(this.two.finish(this.key + "behind", 1)).isEqualTo(FinishResult.RELEASED);
	}

	@Test
	void acquireWhenKeyHoldsOtherDataThenRefusedAndUntouched() throws Exception {
		start();
		redis("SET lk:text other");
		redis("HSET lk:hash field other");
		for (String foreign : new String[] { "text", "hash" }) {
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.one.acquire(foreign, 1, true))
				.havingCause()
				.isInstanceOf(LockStoreException.class)
				.isNotInstanceOf(TransientStoreException.class)
				.withMessageContaining("prefix");
		}
		assertThat(redis("HLEN lk:hash")).isEqualTo(":1");
	}

	@Test
	void acquireWhenServerBecameReplicaThenTransientAndWorksAfterwards() throws Exception {
		start();
		redis("REPLICAOF 127.0.0.1 1");
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.one.acquire(this.key, 1, true))
			.withCauseInstanceOf(TransientStoreException.class);
		redis("REPLICAOF NO ONE");
		await().ignoreExceptions().until(() -> this.one.acquire(this.key, 1, true) instanceof AcquireResult.Granted);
	}

	@Test
	void commandsWhenStoppedThenFail() throws Exception {
		start();
		this.one.close();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> this.one.acquire(this.key, 1, true))
			.withCauseInstanceOf(LockStoreException.class)
			.withMessageContaining("not running");
	}

	@Test
	void stopWhenJustStartedThenPooledConnectionsStayUsable() throws Exception {
		start();
		for (int i = 0; i < Seeds.of("redis.stops", 20, 300); i++) {
			StoreUnderTest brief = new StoreUnderTest(this.factory);
			if (i % 3 == 0) {
				brief.acquired(this.key + i, 1);
			}
			brief.close();
			assertThat(this.one.acquired(this.key, i + 1).remainingMillis()).isEqualTo(StoreUnderTest.LEASE.toMillis());
			assertThat(this.one.finish(this.key, i + 1)).isEqualTo(FinishResult.RELEASED);
		}
	}

	@Test
	void commandsWhenSubscriptionWasLostManyTimesThenPoolIsNotExhaustedNorConnectionsLeftOpen() throws Exception {
		start();
		long connections = connections();
		for (int i = 0; i < 10; i++) {
			int before = this.two.reconnects.get();
			redis("CLIENT KILL TYPE pubsub");
			await().until(() -> this.two.reconnects.get() > before);
		}
		this.one.acquired(this.key, 1);
		assertThat(this.one.finish(this.key, 1)).isEqualTo(FinishResult.RELEASED);
		// The pool may have grown, but not by one for each loss.
		assertThat(connections()).isLessThan(connections + 5);
	}

	private long connections() {
		return this.server.command("CLIENT", "LIST").lines().count();
	}

	private String redis(String command) throws IOException {
		try (Socket socket = new Socket(this.server.host(), this.server.port())) {
			socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
			return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
				.readLine();
		}
	}

}
