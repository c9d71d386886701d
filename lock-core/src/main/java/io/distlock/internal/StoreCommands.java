package io.distlock.internal;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/**
 * What engines ask of their store. One that throws or answers nothing, against its
 * contract, must not stop the engine.
 */
final class StoreCommands {

	private final LockStore store;

	private final EngineContext engine;

	StoreCommands(LockStore store, EngineContext engine) {
		this.store = store;
		this.engine = engine;
	}

	CompletionStage<AcquireResult> acquire(String key, Contender contender) {
		Waiter speaker = contender.speaker();
		AcquireCommand command = new AcquireCommand(key, contender.request(), speaker.lease().duration(),
				speaker.sharing(), contender.queue(), contender.tokens(), this.engine.settings().commandTimeout(),
				this.engine.describe(speaker, this.engine.clock().instant()));
		return guarded(() -> this.store.acquire(command));
	}

	CompletionStage<FinishResult> finish(String key, RequestId request) {
		return guarded(() -> this.store.finish(key, request));
	}

	CompletionStage<RenewResult> renew(Hold hold, int tokens) {
		RenewCommand command = new RenewCommand(hold.key(), hold.request(), hold.renewal().lease().duration(), tokens,
				hold.state() == Hold.State.KEPT);
		return guarded(() -> this.store.renew(command));
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
