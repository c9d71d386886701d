package io.distlock.jdbc;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import org.awaitility.Awaitility;

/** A store that has begun to listen when it is started. */
final class ListeningStore extends DelegatingLockStore {

	private final JdbcLockStore store;

	ListeningStore(JdbcLockStore store) {
		super(store);
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
		Commands.join(this.store.acquire(Commands.acquire(key, request, Duration.ofSeconds(5))));
		Commands.join(this.store.finish(key, request, Duration.ZERO));
		return true;
	}

}
