package io.distlock.internal;

import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

import io.distlock.LockLostException;
import io.distlock.LossReason;
import io.distlock.spi.RequestId;

/** Watches how a release ends. */
final class ModelReleaseFuture extends CompletableFuture<Void> {

	private final RequestId request;

	/** Whether the hold was released by force. */
	private final BooleanSupplier forced;

	private int ends;

	ModelReleaseFuture(RequestId request, BooleanSupplier forced) {
		this.request = request;
		this.forced = forced;
	}

	@Override
	public boolean complete(Void value) {
		end();
		return super.complete(value);
	}

	@Override
	public boolean completeExceptionally(Throwable failure) {
		end();
		// The rules say whether an operator has ended the hold.
		boolean forced = failure instanceof LockLostException loss && loss.reason() == LossReason.FORCED
				&& this.forced.getAsBoolean();
		ModelFailures.unless(forced, "A release in time finds its hold", failure);
		return super.completeExceptionally(failure);
	}

	private void end() {
		this.ends++;
		ModelFailures.unless(this.ends == 1, "A release ends once", this.request);
	}

}
