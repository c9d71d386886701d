package io.distlock.spring.local;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.OnLost;

/**
 * A lock that the store granted, with the entries into the gates of its keys. They are
 * left when the body has ended, before the store has confirmed the release.
 *
 * @param granted the lock
 * @param passes the entries
 */
record GatedHandle(LockHandle granted, List<LocalPass> passes) implements EngineHandle {

	@Override
	public String key() {
		return this.granted.key();
	}

	@Override
	public List<LockHandle> parts() {
		return this.granted.parts();
	}

	@Override
	public long fencingToken() {
		return this.granted.fencingToken();
	}

	@Override
	public boolean isHeld() {
		return this.granted.isHeld();
	}

	@Override
	public Duration remaining() {
		return this.granted.remaining();
	}

	@Override
	public void ensureHeld() {
		this.granted.ensureHeld();
	}

	@Override
	public void ensureHeld(Duration atLeast) {
		this.granted.ensureHeld(atLeast);
	}

	@Override
	public void extend(Duration atLeast) {
		this.granted.extend(atLeast);
	}

	@Override
	public CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		return this.granted.extendAsync(atLeast);
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		return this.granted.onLost(callback);
	}

	@Override
	public OnLost reactionToLoss() {
		return LockScopes.cancelsOnLoss(this.granted) ? OnLost.INTERRUPT : OnLost.REPORT;
	}

	@Override
	public boolean isInterruptedByLoss() {
		return LockScopes.isInterruptedByLoss(this.granted);
	}

	@Override
	public boolean isClosed() {
		return this.granted instanceof EngineHandle handle && handle.isClosed();
	}

	@Override
	public boolean isOwnedByThread() {
		return LockScopes.isOwnedByThread(this.granted);
	}

	@Override
	public Optional<LockHandle> fork(LockRequest request) {
		return LockScopes.fork(this.granted, request);
	}

	@Override
	public void markUnused() {
		if (this.granted instanceof EngineHandle handle) {
			handle.markUnused();
		}
	}

	@Override
	public Closing beginClose() {
		leave();
		return (this.granted instanceof EngineHandle handle) ? handle.beginClose() : this.granted::close;
	}

	@Override
	public void close() {
		leave();
		this.granted.close();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		leave();
		return this.granted.closeAsync();
	}

	private void leave() {
		this.passes.forEach(LocalPass::leave);
	}

}
