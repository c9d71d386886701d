package io.distlock.internal.key;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/**
 * Sends commands to the store. A store that throws or returns nothing, against its
 * contract, must not stop the engine.
 */
final class StoreCommands {

	private final LockStore store;

	StoreCommands(LockStore store) {
		this.store = store;
	}

	CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return guarded(() -> this.store.acquire(command));
	}

	CompletionStage<FinishResult> finish(String key, RequestId request) {
		return guarded(() -> this.store.finish(key, request));
	}

	CompletionStage<RenewResult> renew(RenewCommand command) {
		return guarded(() -> this.store.renew(command));
	}

	CompletionStage<LockSnapshot> inspect(String key) {
		return guarded(() -> this.store.inspect(key));
	}

	@SuppressWarnings("ConstantValue")
	private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> command) {
		try {
			CompletionStage<T> answer = command.get();
			return (answer != null) ? answer
					: CompletableFuture.failedFuture(new IllegalStateException("the store returned nothing"));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
