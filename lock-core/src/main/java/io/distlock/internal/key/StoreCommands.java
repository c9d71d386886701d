package io.distlock.internal.key;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the store. A store that throws or returns nothing, against its
 * contract, must not stop the engine.
 */
final class StoreCommands {

	private final LockStore store;

	private final StoreOutage outage;

	StoreCommands(LockStore store, LockClock clock) {
		this.store = store;
		this.outage = new StoreOutage(clock);
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

	/**
	 * A command ended. Called by the one that evaluates the answer, because a stage for
	 * it would cost each command an object more.
	 * @param failure why it failed, or {@code null}
	 */
	void ended(@Nullable Throwable failure) {
		if (failure != null) {
			this.outage.failed(failure);
		}
		else {
			this.outage.answered();
		}
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
