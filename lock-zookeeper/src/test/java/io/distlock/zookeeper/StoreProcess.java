package io.distlock.zookeeper;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;

/** A process that gives commands to its store without an engine. */
final class StoreProcess implements StoreListener, AutoCloseable {

	/** With time for a machine that runs many tests at once. */
	static final Duration TIMEOUT = Duration.ofSeconds(20);

	/** Longer than any test on a slow machine. */
	private static final Duration LEASE = Duration.ofMinutes(5);

	private final BlockingQueue<Granted> granted = new LinkedBlockingQueue<>();

	private final BlockingQueue<String> contended = new LinkedBlockingQueue<>();

	private final String name;

	private final ZooKeeperLockStore store;

	StoreProcess(String name, ZooKeeperLockStore store) {
		this.name = name;
		this.store = store;
		store.start(name, this);
	}

	ZooKeeperLockStore store() {
		return this.store;
	}

	String name() {
		return this.name;
	}

	/** Grants that the store reported and the test has not taken yet. */
	BlockingQueue<Granted> granted() {
		return this.granted;
	}

	/** Locks with waiters that the store reported and the test has not taken yet. */
	BlockingQueue<String> contended() {
		return this.contended;
	}

	RequestId request(long number) {
		return new RequestId(this.name, number);
	}

	AcquireResult acquire(String key, long number) {
		return acquire(key, number, false);
	}

	AcquireResult acquire(String key, long number, boolean queue) {
		return join(this.store.acquire(new AcquireCommand(key, request(number), LEASE, Sharing.EXCLUSIVE, queue, 1,
				TIMEOUT, new Holder("app", "host", this.name, "", "", Instant.EPOCH))));
	}

	FinishResult finish(String key, long number) {
		return join(this.store.finish(key, request(number), Duration.ZERO));
	}

	/** Waits for a stage. A list or a sweep sends many commands. */
	static <T> T join(CompletionStage<T> stage) {
		return CompletableFuture.allOf(stage.toCompletableFuture())
			.orTimeout(5, TimeUnit.MINUTES)
			.thenApply((nothing) -> stage.toCompletableFuture().join())
			.join();
	}

	@Override
	public void granted(String key, RequestId request, Grant grant) {
		this.granted.add(new Granted(request, grant));
	}

	@Override
	public void contended(String key) {
		this.contended.add(key);
	}

	@Override
	public void reconnected() {
		// Nothing is missed.
	}

	@Override
	public void close() {
		this.store.stop();
	}

	/**
	 * A request that waited has the lock.
	 *
	 * @param request the request
	 * @param grant what it was granted
	 */
	record Granted(RequestId request, Grant grant) {
	}

}
