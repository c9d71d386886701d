package io.distlock.internal;

import java.util.Set;
import java.util.concurrent.CompletionStage;

import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/** Passes on what tests of acquiring and releasing do not change. */
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
