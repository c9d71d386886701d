package io.distlock.internal.key;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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

/** A store that never answers. Tests override the commands that they are about. */
class UnansweringStore implements LockStore {

	@Override
	public void start(String instance, StoreListener listener) {
		// Nothing is reported.
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return new CompletableFuture<>();
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return new CompletableFuture<>();
	}

	@Override
	public void stop() {
		// Nothing was started.
	}

}
