package io.distlock.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.LockStore;

/**
 * A store that grants nothing while its check forbids it. What is held stays held, and
 * can be renewed and released.
 */
final class CheckedStore extends DelegatingLockStore {

	private final StoreCheck check;

	CheckedStore(LockStore store, StoreCheck check) {
		super(store);
		this.check = check;
	}

	/** The store itself, unless its check may forbid grants. */
	static LockStore of(LockStore store, @Nullable StoreCheck check) {
		return (check != null && check.refusesLocks()) ? new CheckedStore(store, check) : store;
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return this.check.refusal()
			.<CompletionStage<AcquireResult>>map(CompletableFuture::failedFuture)
			.orElseGet(() -> super.acquire(command, caller));
	}

}
