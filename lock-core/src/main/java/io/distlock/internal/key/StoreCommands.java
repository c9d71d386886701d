package io.distlock.internal.key;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

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
		try {
			return answer(this.store.acquire(command));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	CompletionStage<FinishResult> finish(String key, RequestId request) {
		try {
			return answer(this.store.finish(key, request));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	CompletionStage<RenewResult> renew(RenewCommand command) {
		try {
			return answer(this.store.renew(command));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	CompletionStage<LockSnapshot> inspect(String key) {
		try {
			return answer(this.store.inspect(key));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
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

	private static <T> CompletionStage<T> answer(@Nullable CompletionStage<T> answer) {
		return (answer != null) ? answer
				: CompletableFuture.failedFuture(new IllegalStateException("the store returned nothing"));
	}

}
