package io.distlock.internal;

import java.util.concurrent.CompletableFuture;

import io.distlock.spi.RequestId;

/** Watches how a release ends. */
final class ModelReleaseFuture extends CompletableFuture<Void> {

	private final RequestId request;

	private int ends;

	ModelReleaseFuture(RequestId request) {
		this.request = request;
	}

	@Override
	public boolean complete(Void value) {
		end();
		return super.complete(value);
	}

	@Override
	public boolean completeExceptionally(Throwable failure) {
		end();
		ModelFailures.unless(false, "A release in time finds its hold", failure);
		return super.completeExceptionally(failure);
	}

	private void end() {
		this.ends++;
		ModelFailures.unless(this.ends == 1, "A release ends once", this.request);
	}

}
