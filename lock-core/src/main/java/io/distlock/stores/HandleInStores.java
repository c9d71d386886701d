package io.distlock.stores;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.OnLost;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * One lock that is held in several stores: held while it is in all of them, lost with the
 * first, and released last first. Its fencing tokens are those of the first store.
 */
final class HandleInStores implements EngineHandle {

	private final List<LockHandle> inStores;

	private final EngineHandle all;

	private final AtomicBoolean closed = new AtomicBoolean();

	private HandleInStores(List<LockHandle> inStores, EngineHandle all) {
		this.inStores = inStores;
		this.all = all;
	}

	/**
	 * Combines handles of one key.
	 * @param inStores one for each store, in the order of their acquisition
	 * @return the handle itself, if there is only one
	 */
	static LockHandle of(List<LockHandle> inStores) {
		LockHandle all = LockScopes.together(inStores);
		return (inStores.size() > 1 && all instanceof EngineHandle together) ? new HandleInStores(inStores, together)
				: all;
	}

	@Override
	public String key() {
		return this.inStores.get(0).key();
	}

	@Override
	public long fencingToken() {
		return this.inStores.get(0).fencingToken();
	}

	@Override
	public boolean isHeld() {
		return this.all.isHeld();
	}

	@Override
	public Duration remaining() {
		return this.all.remaining();
	}

	@Override
	public void ensureHeld() {
		this.all.ensureHeld();
	}

	@Override
	public void extend(Duration atLeast) {
		this.all.extend(atLeast);
	}

	@Override
	public CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		return this.all.extendAsync(atLeast);
	}

	@Override
	public OnLost reactionToLoss() {
		return this.all.reactionToLoss();
	}

	@Override
	public boolean isInterruptedByLoss() {
		return this.all.isInterruptedByLoss();
	}

	@Override
	public boolean isClosed() {
		return this.all.isClosed();
	}

	@Override
	public boolean isOwnedByThread() {
		return this.all.isOwnedByThread();
	}

	@Override
	public Optional<LockHandle> fork(LockRequest request) {
		List<LockHandle> forks = new ArrayList<>();
		try {
			for (LockHandle each : this.inStores) {
				LockScopes.fork(each, request).ifPresent(forks::add);
			}
		}
		catch (RuntimeException ex) {
			forks.forEach(LockHandle::closeAsync);
			throw ex;
		}
		if (forks.size() < this.inStores.size()) {
			forks.forEach(LockHandle::closeAsync);
			return Optional.empty();
		}
		return Optional.of(of(List.copyOf(forks)));
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		return this.all.onLost((lost) -> {
			if (!this.closed.get()) {
				callback.accept(this);
			}
		});
	}

	@Override
	public void markUnused() {
		this.all.markUnused();
	}

	@Override
	public void close() {
		this.closed.set(true);
		this.all.close();
	}

	@Override
	public Closing beginClose() {
		this.closed.set(true);
		return this.all.beginClose();
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		this.closed.set(true);
		return this.all.closeAsync();
	}

	@Override
	public String toString() {
		return "LockHandle[" + KeyText.of(key()) + " in " + this.inStores.size()
				+ (isHeld() ? " stores, held]" : " stores, not held]");
	}

}
