package io.distlock.redis;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.Holder;
import io.distlock.redis.protocol.Inbox;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.TestThreads;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** A started store, with its commands in short. */
public final class StoreUnderTest implements StoreListener, AutoCloseable {

	static final Duration LEASE = Duration.ofSeconds(20);

	static final Duration TIMEOUT = Duration.ofSeconds(6);

	/**
	 * For a machine that stalls: commands and waiters do not end at once, and a grant is
	 * claimed for a third of the lease.
	 */
	static final RedisLockStoreSettings PATIENT = RedisLockStoreSettings.builder()
		.commandTimeout(Duration.ofSeconds(5))
		.waiterTtl(LEASE)
		.keep(LEASE.multipliedBy(2))
		.build();

	public final String instance = UUID.randomUUID().toString();

	final ConcurrentLinkedQueue<Grant> grants = new ConcurrentLinkedQueue<>();

	final ConcurrentLinkedQueue<String> contended = new ConcurrentLinkedQueue<>();

	final AtomicInteger reconnects = new AtomicInteger();

	final RedisLockStore store;

	public StoreUnderTest(RedisConnectionFactory factory) {
		this(factory, PATIENT);
	}

	public StoreUnderTest(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		this.store = new RedisLockStore(factory, settings, () -> 0.5);
		this.store.start(this.instance, this);
	}

	/** Where the messages for an engine arrive. */
	public static String channel(String instance) {
		return new Inbox(instance, "").channel(RedisLockStoreSettings.DEFAULTS.names());
	}

	CompletableFuture<AcquireResult> send(String key, long number, Duration lease, boolean queue) {
		return send(key, number, lease, queue, Sharing.EXCLUSIVE);
	}

	private CompletableFuture<AcquireResult> send(String key, long number, Duration lease, boolean queue,
			Sharing sharing) {
		Holder holder = new Holder("app", "host", this.instance, "thread", "caller", Instant.EPOCH);
		return this.store.acquire(new AcquireCommand(key, request(number), lease, sharing, queue, 1, TIMEOUT, holder))
			.toCompletableFuture();
	}

	AcquireResult share(String key, long number) throws Exception {
		return TestThreads.get(send(key, number, LEASE, true, Sharing.SHARED));
	}

	AcquireResult acquire(String key, long number, boolean queue) throws Exception {
		return TestThreads.get(send(key, number, LEASE, queue));
	}

	public Grant acquired(String key, long number) throws Exception {
		return ((AcquireResult.Granted) acquire(key, number, true)).grant();
	}

	public FinishResult finish(String key, long number) throws Exception {
		return TestThreads.get(this.store.finish(key, request(number), Duration.ZERO).toCompletableFuture());
	}

	RenewResult renew(String key, long number) throws Exception {
		return TestThreads
			.get(this.store.renew(new RenewCommand(key, request(number), LEASE, 0)).toCompletableFuture());
	}

	LockSnapshot inspect(String key) throws Exception {
		return TestThreads.get(this.store.inspect(key).toCompletableFuture());
	}

	RequestId request(long number) {
		return RequestId.parse(this.instance, number);
	}

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		this.grants.add(grant);
	}

	@Override
	public void contended(String key) {
		this.contended.add(key);
	}

	@Override
	public void reconnected() {
		this.reconnects.incrementAndGet();
	}

	@Override
	public void close() {
		this.store.stop();
	}

}
