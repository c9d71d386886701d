package io.distlock.internal;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;

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

/** Passes on what a test does not change. */
abstract class ForwardingStore implements LockStore {

	private final LockStore store;

	ForwardingStore(LockStore store) {
		this.store = store;
	}

	final LockStore store() {
		return this.store;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.store.start(instance, listener);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return this.store.acquire(command);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return this.store.renew(command);
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return this.store.finish(key, request, keepFor);
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
