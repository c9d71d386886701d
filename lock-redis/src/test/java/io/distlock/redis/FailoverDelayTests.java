package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * A server gets another replication id, as when it becomes the master. What it knows may
 * be older than what the former master granted.
 */
@Execution(ExecutionMode.CONCURRENT)
class FailoverDelayTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	static final Duration DELAY = Duration.ofSeconds(4);

	/**
	 * Of holds that have to last, on a busy machine too. It is renewed after 3 seconds.
	 */
	private static final Duration LONG_LEASE = Duration.ofSeconds(9);

	private static final String MARKER = "lk:%master";

	private final String key = "stock:" + UUID.randomUUID();

	private final LockRequest request = LockRequest.of(this.key).waitAtMost(Duration.ZERO);

	private RedisServer server;

	private RedisConnectionFactory factory;

	private CloseableLockTemplate one;

	private CloseableLockTemplate two;

	@AfterEach
	void stop() {
		if (this.one != null) {
			this.one.close();
			this.two.close();
			Client.close(this.factory);
			this.server.close();
		}
	}

	private void start(Client client, Duration delay, Duration lease) {
		this.server = RedisServer.builder().unprotected().start();
		// In use for a long time.
		this.server.command("SET", MARKER, "0");
		this.factory = client.connect(this.server);
		this.one = template(this.factory, delay, lease);
		this.two = template(this.factory, delay, lease);
		TemplatesUnderTest.awaitWorking(this.one, "first:one");
		TemplatesUnderTest.awaitWorking(this.two, "first:two");
		assertThat(this.server.command("GET", MARKER)).startsWith("0;");
	}

	static CloseableLockTemplate template(RedisConnectionFactory factory, Duration delay) {
		return template(factory, delay, LEASE);
	}

	private static CloseableLockTemplate template(RedisConnectionFactory factory, Duration delay, Duration lease) {
		RedisLockStoreSettings settings = RedisLockStoreSettings.builder()
			.failoverDelay(delay)
			.commandTimeout(lease.dividedBy(3))
			.build();
		return LockTemplateBuilder.forStore(new RedisLockStore(factory, settings))
			.settings(LockSettings.builder().leaseTime(lease).commandTimeout(lease.dividedBy(3)).build())
			.build();
	}

	private void becomeMaster() {
		assertThat(this.server.command("DEBUG", "CHANGE-REPL-ID")).isEqualTo("OK");
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenMasterChangedThenNotBeforeTheDelayEnds(Client client) {
		start(client, DELAY, LEASE);
		long changedAt = System.nanoTime();
		becomeMaster();
		// Redis may answer too late at first.
		await().untilAsserted(() -> assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.one.acquire(this.request))
			.withCauseInstanceOf(QuarantineException.class)
			.withMessageContaining("another Redis server became the master")
			.withMessageContaining("setting " + MARKER));
		LockHandle next = acquireAsSoonAsPossible(this.two, this.key);
		assertThat(Duration.ofNanos(System.nanoTime() - changedAt)).isGreaterThanOrEqualTo(DELAY);
		next.close();
	}

	/** Never busy: no holder is known. */
	static LockHandle acquireAsSoonAsPossible(CloseableLockTemplate template, String key) {
		return await().ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(() -> template.acquire(LockRequest.of(key).waitAtMost(Duration.ZERO)), (handle) -> true);
	}

	@ParameterizedTest
	@EnumSource
	void renewWhenMasterChangedThenHolderThatIsKnownGoesOnAndReleases(Client client) {
		start(client, Duration.ofHours(1), LONG_LEASE);
		LockHandle held = this.one.acquire(this.request);
		becomeMaster();
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.two.acquire(LockRequest.of("other:" + this.key)))
			.withCauseInstanceOf(QuarantineException.class);
		awaitRenewal(held);
		held.close();
	}

	@ParameterizedTest
	@EnumSource
	void finishWhenMasterChangedThenNothingThatWaitsIsGranted(Client client) throws Exception {
		start(client, Duration.ofHours(1), LONG_LEASE);
		LockHandle held = this.one.acquire(this.request);
		FutureTask<Long> waiter = TemplatesUnderTest.waiter(this.two, this.key);
		await().until(() -> fields().contains("w:" + this.two.instance()));
		becomeMaster();
		held.close();
		assertThat(fields()).doesNotContain("w:").doesNotContain("q:");
		assertThatExceptionOfType(ExecutionException.class)
			.isThrownBy(() -> TemplatesUnderTest.get(waiter, TemplatesUnderTest.LONG))
			.withRootCauseInstanceOf(QuarantineException.class);
		this.server.command("SET", MARKER, "0");
		this.two.acquire(this.request).close();
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenMasterChangedThenNoReaderJoinsTheOthers(Client client) {
		start(client, Duration.ofHours(1), LONG_LEASE);
		LockRequest shared = this.request.mode(LockMode.SHARED);
		LockHandle reader = this.one.acquire(shared);
		becomeMaster();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.two.acquire(shared))
			.withCauseInstanceOf(QuarantineException.class);
		awaitRenewal(reader);
		reader.close();
	}

	@ParameterizedTest
	@EnumSource
	void acquireWhenLeaseIsLongerThanTheDelayThenRefused(Client client) {
		start(client, DELAY, LEASE);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.one.acquire(this.request.leaseFor(Duration.ofMillis(4001))))
			.withMessageContaining("4001 ms, longer than the failover delay of 4000 ms");
		this.one.acquire(this.request.leaseFor(Duration.ofMillis(4000))).close();
	}

	private static void awaitRenewal(LockHandle held) {
		Duration shortly = LONG_LEASE.minusSeconds(2);
		await().until(() -> held.remaining().compareTo(shortly) < 0);
		await().until(() -> held.remaining().compareTo(shortly) > 0);
	}

	private String fields() {
		return this.server.command("HKEYS", "lk:" + this.key);
	}

}
