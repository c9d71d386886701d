package io.distlock.spring.local;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.distlock.LockHandle;
import io.distlock.support.KeyText;

/**
 * A key under which a thread runs without a grant of the store. It cannot be lost, and
 * has no fencing token.
 *
 * @param pass the entry into the gate of the key
 */
record LocalHandle(LocalPass pass) implements LockHandle {

	/** What is left of a hold that has no lease. */
	private static final Duration LONG = Duration.ofDays(1);

	@Override
	public String key() {
		return this.pass.key();
	}

	@Override
	public long fencingToken() {
		throw new IllegalStateException("There is no fencing token of '" + KeyText.of(key())
				+ "': the store did not answer, so the lock excludes callers of this process only");
	}

	@Override
	public boolean isHeld() {
		return !this.pass.isLeft();
	}

	@Override
	public Duration remaining() {
		return isHeld() ? LONG : Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		if (!isHeld()) {
			throw new IllegalStateException("Lock '" + KeyText.of(key()) + "' was released already");
		}
	}

	@Override
	public void extend(Duration atLeast) {
		ensureHeld();
	}

	@Override
	public CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		ensureHeld();
		return CompletableFuture.completedFuture(null);
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		return () -> {
		};
	}

	@Override
	public void close() {
		this.pass.leave();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		this.pass.leave();
		return CompletableFuture.completedFuture(null);
	}

}
