package io.distlock.memory;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.state.LockState;
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
import io.distlock.spi.StoreListener;
import org.jspecify.annotations.Nullable;

/**
 * A store inside this process. It is the reference implementation of a store, and serves
 * unit tests and single-process applications. Its locks exclude only templates that share
 * its server.
 */
public final class InMemoryLockStore implements LockStore {

	private final InMemoryLockServer server;

	private volatile @Nullable String instance;

	/** Creates a store with a new server. */
	public InMemoryLockStore() {
		this(new InMemoryLockServer());
	}

	/**
	 * Creates a store.
	 * @param server keeps the locks, also for other stores
	 */
	public InMemoryLockStore(InMemoryLockServer server) {
		this.server = server;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.instance = instance;
		this.server.connect(instance, listener);
	}

	@Override
	public String describe() {
		return "the memory of this process";
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return answer(command.key(), (lock, time) -> lock.acquire(command, time));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return answer(key, (lock, time) -> lock.finish(request, keepFor, time));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return answer(command.key(), (lock, time) -> lock.renew(command, time));
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return answer(key, (lock, time) -> () -> lock.inspect(time));
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return answer(command.key(), (lock, time) -> lock.forceRelease(command, time));
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return (this.instance != null) ? CompletableFuture.completedFuture(this.server.list(command)) : notRunning();
	}

	private static <T> CompletionStage<T> notRunning() {
		return CompletableFuture.failedFuture(LockStoreException.notRunning("in-memory store"));
	}

	private <T> CompletionStage<T> answer(String key, BiFunction<LockState, StoreTime, Supplier<T>> operation) {
		String running = this.instance;
		return (running != null) ? CompletableFuture.completedFuture(this.server.on(key, running, operation))
				: notRunning();
	}

	@Override
	public void stop() {
		String stopped = this.instance;
		this.instance = null;
		if (stopped != null) {
			this.server.disconnect(stopped);
		}
	}

}
