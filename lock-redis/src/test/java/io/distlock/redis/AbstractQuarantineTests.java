package io.distlock.redis;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.redis.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** A server loses its data while a lock is held. */
@Execution(ExecutionMode.CONCURRENT)
abstract class AbstractQuarantineTests {

	private static final Duration LEASE = Duration.ofSeconds(3);

	/**
	 * Of a hold that has to last, on a busy machine too. It is renewed after 3 seconds.
	 */
	private static final Duration LONG_LEASE = Duration.ofSeconds(9);

	private static final RedisLockStoreSettings SETTINGS = RedisLockStoreSettings.builder()
		.quarantine(Duration.ofSeconds(4))
		.build();

	private static final String MARKER = "lk:%boot";

	private final String key = "stock:" + UUID.randomUUID();

	private final ConcurrentLinkedQueue<String> refusals = new ConcurrentLinkedQueue<>();

	private final Client client;

	private RedisServer server;

	private RedisConnectionFactory factory;

	private CloseableLockTemplate one;

	private CloseableLockTemplate two;

	AbstractQuarantineTests(Client client) {
		this.client = client;
	}

	@AfterEach
	void stop() {
		this.one.close();
		this.two.close();
		Client.close(this.factory);
		this.server.close();
	}

	private void start(RedisLockStoreSettings settings, String... arguments) {
		start(settings, LEASE, arguments);
	}

	private void start(RedisLockStoreSettings settings, Duration lease, String... arguments) {
		this.server = RedisServer.builder().args(arguments).start();
		// In use for a long time.
		this.server.command("SET", MARKER, "0");
		this.factory = this.client.connect(this.server);
		this.one = template(settings, lease);
		this.two = template(settings, lease);
		TemplatesUnderTest.awaitWorking(this.one, "first:one");
		TemplatesUnderTest.awaitWorking(this.two, "first:two");
	}

	private CloseableLockTemplate template(RedisLockStoreSettings settings, Duration lease) {
		return LockTemplateBuilder.forStore(new RedisLockStore(this.factory, settings))
			.settings(LockSettings.builder().leaseTime(lease).build())
			.build();
	}

	@Test
	void acquireWhenServerWasKilledAndCameBackEmptyThenNotBeforeQuarantineEnds() {
		start(SETTINGS);
		LockHandle held = this.one.acquire(LockRequest.of(this.key));
		this.server.kill();
		long emptyAt = System.nanoTime();
		this.server.restart();
		assertLostAndNotGrantedFor(held, emptyAt);
	}

	@Test
	void acquireWhenServerWasFlushedThenNotBeforeQuarantineEnds() {
		start(SETTINGS);
		LockHandle held = this.one.acquire(LockRequest.of(this.key));
		long emptyAt = System.nanoTime();
		this.server.command("FLUSHALL");
		assertLostAndNotGrantedFor(held, emptyAt);
	}

	private void assertLostAndNotGrantedFor(LockHandle held, long emptyAt) {
		ConcurrentLinkedQueue<LockHandle> told = new ConcurrentLinkedQueue<>();
		held.onLost(told::add);
		LockHandle next = acquireAsSoonAsPossible();
		assertThat(Duration.ofNanos(System.nanoTime() - emptyAt)).isGreaterThanOrEqualTo(SETTINGS.quarantine());
		next.close();
		assertThat(held.isHeld()).isFalse();
		await().untilAsserted(() -> assertThat(told).containsExactly(held));
		assertThat(next.fencingToken()).isGreaterThan(held.fencingToken());
		assertThat(this.refusals).anySatisfy((text) -> assertThat(text).contains("lost its data",
				"none is granted until 20", "SET " + MARKER + " 0"));
	}

	/** Never busy: nobody holds the lock there. */
	private LockHandle acquireAsSoonAsPossible() {
		while (true) {
			try {
				return this.two.acquire(LockRequest.of(this.key).waitAtMost(Duration.ZERO));
			}
			catch (LockStoreException ex) {
				this.refusals.add(ex.getMessage());
			}
		}
	}

	@Test
	void acquireWhenServerKeptItsDataThenNotDelayed() {
		start(RedisLockStoreSettings.builder().quarantine(Duration.ofHours(1)).build(), "--appendonly", "yes",
				"--appendfsync", "always");
		this.one.acquire(LockRequest.of(this.key));
		this.server.kill();
		this.server.restart();
		TemplatesUnderTest.awaitWorking(this.two, "other:" + this.key);
	}

	@Test
	void acquireWhenOperatorEndsQuarantineThenGranted() {
		start(RedisLockStoreSettings.builder().quarantine(Duration.ofHours(1)).build());
		this.server.command("FLUSHALL");
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.one.acquire(LockRequest.of(this.key)))
			.withMessageContaining("lost its data");
		this.server.command("SET", MARKER, "0");
		this.one.acquire(LockRequest.of(this.key)).close();
	}

	@Test
	void renewWhenQuarantinedThenHolderThatIsKnownGoesOn() {
		start(RedisLockStoreSettings.builder().quarantine(Duration.ofHours(1)).build(), LONG_LEASE);
		LockHandle held = this.one.acquire(LockRequest.of(this.key));
		this.server.command("DEL", MARKER);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.two.acquire(LockRequest.of("other:" + this.key)));
		Duration shortly = LONG_LEASE.minusSeconds(2);
		await().until(() -> held.remaining().compareTo(shortly) < 0);
		await().until(() -> held.remaining().compareTo(shortly) > 0);
		held.close();
	}

	@Test
	void acquireWhenLeaseIsLongerThanQuarantineThenRefused() {
		start(SETTINGS);
		LockRequest request = LockRequest.of(this.key);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> this.one.acquire(request.leaseFor(Duration.ofMillis(4001))))
			.withMessageContaining("4001 ms, longer than the quarantine of 4000 ms");
		this.one.acquire(request.leaseFor(Duration.ofMillis(4000))).close();
	}

	@Test
	void acquireWhenLockIsNamedLikeMarkerThenGranted() {
		start(SETTINGS);
		this.one.acquire(LockRequest.of("boot")).close();
		this.one.acquire(LockRequest.of("%boot")).close();
		assertThat(this.server.command("GET", MARKER)).isEqualTo("0");
	}

}
