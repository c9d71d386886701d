package io.distlock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.LockLostException;
import io.distlock.spi.FinishResult;
import org.jspecify.annotations.Nullable;

/** A release for whose confirmation no thread waits. */
final class AsyncRelease implements Ending {

	private final CompletableFuture<@Nullable Void> done;

	private final Hold hold;

	private final EngineContext engine;

	AsyncRelease(Hold hold, EngineContext engine) {
		this.hold = hold;
		this.engine = engine;
		this.done = engine.newFuture();
	}

	CompletionStage<@Nullable Void> done() {
		return this.done;
	}

	@Override
	public void confirmed(FinishResult result, boolean conclusive) {
		LockLostException loss = this.hold.lossFoundAtRelease(result, conclusive);
		if (loss != null) {
			this.engine.announcer().lost(loss.loss());
			this.engine.callBack(() -> this.done.completeExceptionally(loss));
		}
		else {
			abandoned();
		}
	}

	@Override
	public void abandoned() {
		this.engine.callBack(() -> this.done.complete(null));
	}

	@Override
	public boolean awaited() {
		return true;
	}

}
