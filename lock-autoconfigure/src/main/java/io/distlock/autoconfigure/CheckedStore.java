package io.distlock.autoconfigure;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.Capability;
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

/**
 * A store that grants nothing while its check forbids it. What is held stays held, and
 * can be renewed and released.
 *
 * @param store the store
 * @param check says whether it may grant locks
 */
record CheckedStore(LockStore store, StoreCheck check) implements LockStore {

	/** The store itself, unless its check may forbid grants. */
	static LockStore of(LockStore store, @Nullable StoreCheck check) {
		return (check != null && check.refusesLocks()) ? new CheckedStore(store, check) : store;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.store.start(instance, listener);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return acquire(command, CallingThread.NONE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return this.check.refusal()
			.<CompletionStage<AcquireResult>>map(CompletableFuture::failedFuture)
			.orElseGet(() -> this.store.acquire(command, caller));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request) {
		return this.store.finish(key, request);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, CallingThread caller) {
		return this.store.finish(key, request, caller);
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
	public Duration connecting() {
		return this.store.connecting();
	}

	@Override
	public Duration waiterLifetime() {
		return this.store.waiterLifetime();
	}

	@Override
	public Set<Capability> unsupported() {
		return this.store.unsupported();
	}

	@Override
	public String describe() {
		return this.store.describe();
	}

	@Override
	public void stop() {
		this.store.stop();
	}

}
