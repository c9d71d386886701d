package io.distlock.sample.overview;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.Holder;
import io.distlock.sample.stock.Shelf;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Looks at the locks of the items that the shop sells. */
@Component
class LockWatch {

	private static final Duration PATIENCE = Duration.ofMillis(500);

	private final ObjectProvider<LockStore> stores;

	private final Shelf shelf;

	LockWatch(ObjectProvider<LockStore> stores, Shelf shelf) {
		this.stores = stores;
		this.shelf = shelf;
	}

	/** Returns the locks that somebody holds or waits for. */
	List<LockView> look() throws InterruptedException {
		LockStore store = this.stores.getIfUnique();
		List<LockView> locks = new ArrayList<>();
		if (store == null) {
			return locks;
		}
		for (String sku : this.shelf.skus()) {
			try {
				LockSnapshot lock = store.inspect("stock:" + sku)
					.toCompletableFuture()
					.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
				if (!lock.holds().isEmpty() || !lock.waiters().isEmpty()) {
					locks.add(LockView.of(lock));
				}
			}
			catch (ExecutionException | TimeoutException ex) {
				// The store is away: nothing is known.
				return locks;
			}
		}
		return locks;
	}

	/**
	 * A lock.
	 *
	 * @param key its name
	 * @param holder who has it
	 * @param leaseLeftMillis for how long at least
	 * @param token its fencing token
	 * @param queue processes that wait, the next one first
	 * @param queueLength how many wait
	 */
	record LockView(String key, @Nullable HolderView holder, long leaseLeftMillis, long token, List<String> queue,
			int queueLength) {

		static LockView of(LockSnapshot lock) {
			Holder holder = lock.holder();
			return new LockView(lock.key(), (holder != null) ? HolderView.of(holder) : null,
					lock.remaining().toMillis(), lock.fencingToken(), lock.waiters(), lock.waiters().size());
		}

	}

	/**
	 * A holder.
	 *
	 * @param application name of the application
	 * @param host name of the machine
	 * @param thread name of the thread
	 * @param sinceMillis for how long it holds the lock
	 */
	record HolderView(String application, String host, String thread, long sinceMillis) {

		static HolderView of(Holder holder) {
			return new HolderView(holder.application(), holder.host(), holder.thread(),
					Math.max(0, System.currentTimeMillis() - holder.since().toEpochMilli()));
		}

	}

}
