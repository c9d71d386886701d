package io.distlock.spring.intercept;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.OnLost;
import io.distlock.spi.Sharing;
import io.distlock.text.KeyText;

/**
 * A lock that no thread owns, shared by a method and the methods that it calls. Each has
 * a handle of its own; whichever ends last releases the lock.
 */
final class HandedDownLock {

	private final AtomicInteger handles = new AtomicInteger(1);

	private final LockHandle lock;

	private final Sharing sharing;

	private HandedDownLock(LockHandle lock, Sharing sharing) {
		this.lock = lock;
		this.sharing = sharing;
	}

	/**
	 * The first handle of what was just acquired; each of several is shared by itself.
	 */
	static LockHandle of(LockHandle acquired, LockRequest request) {
		return LockScopes.together(acquired.parts().stream().map((part) -> ofOne(part, request)).toList());
	}

	private static Handle ofOne(LockHandle lock, LockRequest request) {
		HandedDownLock shared = new HandedDownLock(lock, Sharing.of(request));
		return shared.new Handle();
	}

	/**
	 * A further handle, for a nested call.
	 * @return {@code null} if the lock was released already, or is a permit, of which
	 * each call takes its own
	 * @throws LockLostException if it was lost, so that nothing may run under it
	 */
	@Nullable Handle enter(LockRequest request) {
		if (this.sharing instanceof Sharing.Permit && Sharing.of(request) instanceof Sharing.Permit) {
			return null;
		}
		int count = this.handles.get();
		while (count > 0 && !this.handles.compareAndSet(count, count + 1)) {
			count = this.handles.get();
		}
		if (count == 0) {
			return null;
		}
		Handle nested = new Handle();
		try {
			check(request);
			return nested;
		}
		catch (RuntimeException ex) {
			nested.closeAsync();
			throw ex;
		}
	}

	private void check(LockRequest request) {
		this.lock.ensureHeld();
		if (!covers(Sharing.of(request))) {
			throw new IllegalStateException("Lock '" + KeyText.of(request.key())
					+ "' is held by the calling method in another mode, so the nested call would wait for itself. "
					+ "Take it in the stronger mode on the outer method, or by both in the same");
		}
	}

	/** A lock that is held alone is as good as one that is held together. */
	private boolean covers(Sharing wanted) {
		return this.sharing.equals(wanted)
				|| (this.sharing instanceof Sharing.Exclusive && wanted.equals(Sharing.SHARED));
	}

	/** One of its handles. */
	final class Handle implements EngineHandle {

		private final AtomicBoolean closed = new AtomicBoolean();

		private Handle() {
		}

		HandedDownLock shared() {
			return HandedDownLock.this;
		}

		boolean isClosed() {
			return this.closed.get();
		}

		@Override
		public String key() {
			return HandedDownLock.this.lock.key();
		}

		@Override
		public long fencingToken() {
			return HandedDownLock.this.lock.fencingToken();
		}

		@Override
		public boolean isHeld() {
			return !isClosed() && HandedDownLock.this.lock.isHeld();
		}

		@Override
		public Duration remaining() {
			return isClosed() ? Duration.ZERO : HandedDownLock.this.lock.remaining();
		}

		@Override
		public OnLost onLossOfHold() {
			return LockScopes.cancelsOnLoss(HandedDownLock.this.lock) ? OnLost.INTERRUPT : OnLost.REPORT;
		}

		@Override
		public boolean isInterruptedByLoss() {
			return false;
		}

		@Override
		public void ensureHeld() {
			if (isClosed()) {
				throw new IllegalStateException("Lock '" + KeyText.of(key()) + "' was released by closing this handle");
			}
			HandedDownLock.this.lock.ensureHeld();
		}

		@Override
		public Registration onLost(Consumer<LockHandle> callback) {
			return HandedDownLock.this.lock.onLost((lock) -> {
				if (!isClosed()) {
					callback.accept(this);
				}
			});
		}

		@Override
		public void close() {
			if (!this.closed.compareAndSet(false, true)) {
				return;
			}
			if (HandedDownLock.this.handles.decrementAndGet() == 0) {
				HandedDownLock.this.lock.close();
			}
			else {
				HandedDownLock.this.lock.ensureHeld();
			}
		}

		@Override
		public CompletionStage<@Nullable Void> closeAsync() {
			if (!this.closed.compareAndSet(false, true)) {
				return CompletableFuture.completedFuture(null);
			}
			if (HandedDownLock.this.handles.decrementAndGet() == 0) {
				return HandedDownLock.this.lock.closeAsync();
			}
			try {
				HandedDownLock.this.lock.ensureHeld();
				return CompletableFuture.completedFuture(null);
			}
			catch (LockLostException | IllegalStateException ex) {
				return CompletableFuture.failedFuture(ex);
			}
		}

		@Override
		public String toString() {
			return HandedDownLock.this.lock.toString();
		}

	}

}
