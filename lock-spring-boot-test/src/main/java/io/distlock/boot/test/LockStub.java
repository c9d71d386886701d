package io.distlock.boot.test;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLoss;
import io.distlock.LockLostException;
import io.distlock.LockScopes;
import io.distlock.LossReason;
import io.distlock.support.KeyText;

/**
 * A lock of a plain unit test, without Spring, an engine or a store. It is
 * {@link LockContext#current()} of the thread of the test until it is closed, so that the
 * tested code finds a fencing token and may ask whether it still has its lock. It
 * excludes nobody.
 */
public final class LockStub implements LockHandle {

	private final String key;

	private final Instant acquired = Instant.now();

	private final LockScopes.Scope scope;

	private final List<Consumer<LockHandle>> callbacks = new CopyOnWriteArrayList<>();

	private volatile long token = 1;

	private volatile Duration remaining = Duration.ofSeconds(30);

	private volatile @Nullable LockLoss loss;

	private volatile boolean closed;

	private LockStub(String key) {
		this.key = key;
		this.scope = LockScopes.enter(this);
	}

	/**
	 * Makes a lock held by the calling thread. Close it on the same thread.
	 * @param key the lock
	 * @return the lock, with token 1
	 */
	public static LockStub held(String key) {
		return new LockStub(key);
	}

	/**
	 * Sets the fencing token.
	 * @param token the token
	 * @return this lock
	 */
	public LockStub token(long token) {
		this.token = token;
		return this;
	}

	/**
	 * Lets the lock get lost, and runs the callbacks of {@link #onLost} on this thread.
	 * All of them run, even if one throws; then this method throws what the last of them
	 * has thrown.
	 * @return this lock
	 */
	public LockStub lose() {
		Instant now = Instant.now();
		this.loss = new LockLoss("stub", "", this.key, this.token, this.acquired, this.acquired, now, this.remaining,
				"test", "LockStub", LossReason.EXPIRED);
		List<Consumer<LockHandle>> due = List.copyOf(this.callbacks);
		this.callbacks.clear();
		callEach(due.iterator());
		return this;
	}

	private void callEach(Iterator<Consumer<LockHandle>> due) {
		if (due.hasNext()) {
			try {
				due.next().accept(this);
			}
			finally {
				callEach(due);
			}
		}
	}

	@Override
	public String key() {
		return this.key;
	}

	@Override
	public long fencingToken() {
		return this.token;
	}

	@Override
	public boolean isHeld() {
		return this.loss == null && !this.closed;
	}

	@Override
	public Duration remaining() {
		return isHeld() ? this.remaining : Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		LockLoss lost = this.loss;
		if (lost != null) {
			throw new LockLostException(lost, null);
		}
		if (this.closed) {
			throw new IllegalStateException("Lock '" + KeyText.of(this.key) + "' was closed");
		}
	}

	@Override
	public void extend(Duration atLeast) {
		ensureHeld();
		this.remaining = (atLeast.compareTo(this.remaining) > 0) ? atLeast : this.remaining;
	}

	@Override
	public CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		return CompletableFuture.runAsync(() -> extend(atLeast), Runnable::run);
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		if (this.loss != null) {
			callback.accept(this);
		}
		else {
			this.callbacks.add(callback);
		}
		return () -> this.callbacks.remove(callback);
	}

	/** Leaves the lock. Unlike other handles, it does not report a loss once more. */
	@Override
	public void close() {
		if (!this.closed) {
			this.closed = true;
			this.scope.close();
		}
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		close();
		return CompletableFuture.completedFuture(null);
	}

}
