package io.distlock.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.redis.client.ReplicaConnection;
import io.distlock.redis.client.RedisWorkers;
import io.distlock.redis.connect.ClientFactories;
import io.distlock.redis.protocol.LockScript;
import io.distlock.redis.protocol.ScriptArguments;
import io.distlock.test.Standstill;
import io.distlock.test.TestThreads;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A lock counts only once a replica has it. */
@Execution(ExecutionMode.CONCURRENT)
abstract class AbstractReplicaTests {

	private static final Duration LEASE = Duration.ofSeconds(12);

	private static final RedisLockStoreSettings SETTINGS = RedisLockStoreSettings.builder()
		.replicas(1)
		.replicaTimeout(Duration.ofMillis(800))
		.build();

	/**
	 * With a command timeout that is over long after the replica timeout, also on a
	 * machine that does much else, so that it is the replicas that are reported.
	 */
	private static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.replicas(1)
		.replicaTimeout(SETTINGS.replicaTimeout())
		.commandTimeout(Duration.ofSeconds(10))
		.build();

	private final RedisServer master = RedisServer.builder().args("--repl-diskless-sync-delay", "0").start();

	private final RedisServer replica = RedisServer.builder()
		.args("--replicaof", this.master.host(), String.valueOf(this.master.port()))
		.start();

	private final String key = "stock:" + UUID.randomUUID();

	private final Client client;

	private RedisConnectionFactory factory;

	private CloseableLockTemplate one;

	private CloseableLockTemplate two;

	AbstractReplicaTests(Client client) {
		this.client = client;
	}

	@BeforeEach
	void start() {
		await().until(() -> this.master.command("INFO", "replication").contains("state=online"));
		this.factory = this.client.connect(this.master);
		this.one = template();
		this.two = template();
	}

	private CloseableLockTemplate template() {
		return template(SETTINGS, LEASE, LEASE.dividedBy(3));
	}

	private CloseableLockTemplate patient() {
		return template(PATIENT, Duration.ofSeconds(30), PATIENT.commandTimeout());
	}

	private CloseableLockTemplate template(RedisLockStoreSettings settings, Duration lease, Duration commandTimeout) {
		CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(this.factory, settings))
			.settings(LockSettings.builder().leaseTime(lease).commandTimeout(commandTimeout).build())
			.build();
		TemplatesUnderTest.awaitWorking(template, "first:" + template.instance());
		return template;
	}

	@AfterEach
	void stop() {
		this.one.close();
		this.two.close();
		Client.close(this.factory);
		this.replica.close();
		this.master.close();
	}

	@Test
	void acquireWhenGrantedThenReplicaHasIt() {
		RedisLockStoreSettings sure = RedisLockStoreSettings.builder()
			.replicas(1)
			.replicaTimeout(Duration.ofSeconds(9))
			.commandTimeout(Duration.ofSeconds(10))
			.build();
		try (CloseableLockTemplate template = template(sure, Duration.ofSeconds(30), sure.commandTimeout())) {
			for (int i = 0; i < 100; i++) {
				LockHandle held = template.acquire(LockRequest.of(this.key + i));
				assertThat(this.replica.command("HGET", "lk:" + this.key + i, "o")).contains(template.instance());
				held.close();
			}
		}
	}

	@Test
	void acquireWhenReplicaHangsThenRefusedAndCleanedUp() {
		try (CloseableLockTemplate patient = patient()) {
			this.replica.pause();
			assertThatExceptionOfType(LockStoreException.class)
				.isThrownBy(() -> patient.acquire(LockRequest.of(this.key)))
				.withMessageContaining("0 of 1 replicas confirmed within 800 ms");
			await().until(() -> this.master.command("HGET", "lk:" + this.key, "o").contains(";E;"));
			this.replica.resume();
			TemplatesUnderTest.awaitWorking(this.two, this.key);
		}
	}

	@Test
	void releaseWhenReplicaHangsThenNotDelayed() throws Exception {
		// So long that a busy machine is no reason to take half of it.
		Duration replicaTimeout = Duration.ofSeconds(12);
		RedisLockStoreSettings patient = RedisLockStoreSettings.builder()
			.replicas(1)
			.replicaTimeout(replicaTimeout)
			.commandTimeout(replicaTimeout.plusSeconds(1))
			.build();
		try (CloseableLockTemplate template = template(patient, Duration.ofMinutes(1), patient.commandTimeout())) {
			LockHandle held = template.acquire(LockRequest.of(this.key));
			this.replica.pause();
			FutureTask<Long> hanging = TemplatesUnderTest.waiter(template, "other:" + this.key);
			await().until(() -> this.master.command("INFO", "clients").contains("blocked_clients:1"));
			assertThat(Standstill.timed(held::close)).isLessThan(replicaTimeout.dividedBy(2));
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> TemplatesUnderTest.get(hanging, TemplatesUnderTest.LONG))
				.withCauseInstanceOf(LockStoreException.class);
		}
	}

	@Test
	void renewWhenReplicaHangsThenLostThoughMasterStillRenews() throws Exception {
		LockHandle held = this.one.acquire(LockRequest.of(this.key));
		CountDownLatch told = new CountDownLatch(1);
		held.onLost((handle) -> told.countDown());
		this.replica.pause();
		Duration untilTold = Standstill
			.timed(() -> assertThat(told.await(TemplatesUnderTest.LONG.toSeconds(), TimeUnit.SECONDS)).isTrue());
		assertThat(untilTold).isLessThan(LEASE.plusSeconds(5));
		assertThat(held.isHeld()).isFalse();
	}

	@Test
	void renewWhenReplicaHangsForAMomentThenHeldOn() {
		LockHandle held = this.one.acquire(LockRequest.of(this.key));
		this.replica.pause();
		await().until(() -> held.remaining().compareTo(LEASE.dividedBy(2)) < 0);
		this.replica.resume();
		await().until(() -> held.remaining().compareTo(LEASE.dividedBy(2)) > 0);
		held.close();
	}

	@Test
	void acquireWhenGrantWasPushedThenNotBelievedWithoutReplica() throws Exception {
		LockHandle held = this.one.acquire(LockRequest.of(this.key));
		try (CloseableLockTemplate patient = patient()) {
			FutureTask<Long> waiter = TemplatesUnderTest.waiter(patient, this.key);
			await().until(() -> this.master.command("HKEYS", "lk:" + this.key).contains("w:" + patient.instance()));
			this.replica.pause();
			held.close();
			assertThatExceptionOfType(ExecutionException.class)
				.isThrownBy(() -> TemplatesUnderTest.get(waiter, TemplatesUnderTest.LONG))
				.withCauseInstanceOf(LockStoreException.class)
				.withMessageContaining("replicas");
		}
	}

	@Test
	void acquireWhenGrantWasPushedThenAskedForAtOnce() throws Exception {
		try (TemplatesUnderTest seldom = new TemplatesUnderTest(this.factory,
				RedisLockStoreSettings.builder()
					.pollInterval(TemplatesUnderTest.SELDOM.pollInterval())
					.replicas(1)
					.commandTimeout(PATIENT.commandTimeout())
					.build())) {
			CloseableLockTemplate waiting = seldom.addPatient();
			LockHandle held = this.one.acquire(LockRequest.of(this.key));
			FutureTask<Long> waiter = TemplatesUnderTest.waiter(waiting, this.key);
			await().until(() -> this.master.command("HKEYS", "lk:" + this.key).contains("w:" + waiting.instance()));
			held.close();
			assertThat(TemplatesUnderTest.get(waiter, Duration.ofSeconds(10))).isGreaterThan(held.fencingToken());
		}
	}

	@Test
	void awaitReplicasWhenClientConnectedAnewThenNothingIsConfirmed() {
		RedisLockStoreSettings patient = RedisLockStoreSettings.builder()
			.replicas(1)
			.commandTimeout(Duration.ofSeconds(9))
			.build();
		RedisWorkers connector = new RedisWorkers(1);
		try (ReplicaConnection connection = replicaConnection(patient, connector)) {
			connection.run(LockScript.FINISH, false,
					ScriptArguments.of(List.of("lk:" + this.key), List.of("me", "1", "10000", "lk:ch:")));
			assertThat(connection.awaitReplicas(1, patient.commandTimeout())).isEqualTo(1);
			this.master.kill();
			this.master.restart();
			await().until(() -> this.master.command("INFO", "replication").contains("state=online"));
			// The replica has all of a server that knows nothing of what was written.
			assertThat(confirmed(connection)).isZero();
		}
		finally {
			connector.shutdown();
		}
	}

	@Test
	void awaitReplicasWhenOthersUseTheClientThenStillAboutItsOwnWrites() throws Exception {
		RedisWorkers connector = new RedisWorkers(1);
		try (ReplicaConnection connection = replicaConnection(PATIENT, connector)) {
			this.replica.pause();
			connection.run(LockScript.FINISH, false,
					ScriptArguments.of(List.of("lk:" + this.key), List.of("me", "1", "10000", "lk:ch:")));
			FutureTask<Boolean> other = TestThreads.inThread(this::waitForAnElement);
			await().until(() -> this.master.command("INFO", "clients").contains("blocked_clients:1"));
			assertThat(connection.awaitReplicas(1, Duration.ofMillis(500))).isZero();
			this.master.command("RPUSH", "list:" + this.key, "x");
			assertThat(TemplatesUnderTest.get(other, TemplatesUnderTest.LONG)).isTrue();
		}
		finally {
			this.replica.resume();
			connector.shutdown();
		}
	}

	private ReplicaConnection replicaConnection(RedisLockStoreSettings settings, RedisWorkers connector) {
		return ClientFactories.of(this.factory)
			.replicaConnections(settings.client(), connector)
			.open(ReplicaConnection::close);
	}

	/** Takes the connection that was free last. */
	private boolean waitForAnElement() {
		try (RedisConnection connection = this.factory.getConnection()) {
			return connection.listCommands().bLPop(0, ("list:" + this.key).getBytes(StandardCharsets.UTF_8)) != null;
		}
	}

	private static long confirmed(ReplicaConnection connection) {
		try {
			return connection.awaitReplicas(1, Duration.ofMillis(500));
		}
		catch (RuntimeException ex) {
			return 0;
		}
	}

}
