package io.distlock.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import org.awaitility.Awaitility;

/** A store that has begun to listen when it is started. */
final class ListeningStore implements LockStore {

	private final JdbcLockStore store;

	ListeningStore(JdbcLockStore store) {
		this.store = store;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.store.start(instance, listener);
		AtomicLong number = new AtomicLong();
		// A first connection may take too long on a busy machine.
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.ignoreExceptionsMatching((failure) -> failure.getCause() instanceof TransientStoreException)
			.until(() -> uses(new RequestId(instance, number.incrementAndGet())));
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(this.store::isNotified);
	}

	private boolean uses(RequestId request) {
		String key = "first:" + UUID.randomUUID();
		this.store
			.acquire(new AcquireCommand(key, request, Duration.ofSeconds(5), Sharing.EXCLUSIVE, false, 1,
					Duration.ofSeconds(5), new Holder("", "", "", "", "", Instant.EPOCH)))
			.toCompletableFuture()
			.join();
		this.store.finish(key, request, Duration.ZERO).toCompletableFuture().join();
		return true;
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return this.store.acquire(command);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return this.store.finish(key, request, keepFor);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return this.store.renew(command);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return this.store.inspect(key);
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return this.store.forceRelease(command);
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return this.store.list(command);
	}

	@Override
	public void stop() {
		this.store.stop();
	}

}
