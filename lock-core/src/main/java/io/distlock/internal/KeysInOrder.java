package io.distlock.internal;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.AcquireOptions;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one request in their order. This class knows which key is next and which
 * locks the caller already holds. No body runs yet, so the locks that are given back need
 * no minimum hold.
 * <p>
 * Invariant: a caller that waits for a key holds only keys that come before that key. The
 * order is the same in every process, so callers cannot wait for each other in a ring.
 */
final class KeysInOrder {

	private final EngineContext context;

	private final List<LockRequest> parts;

	private final long giveUp;

	/** Of full size, because there may be no memory once a lock is acquired. */
	private final HoldHandle[] taken;

	private int count;

	/**
	 * Begins with the first key.
	 * @param request the request
	 * @param context what all keys share
	 */
	KeysInOrder(LockRequest request, EngineContext context) {
		this.context = context;
		this.parts = request.keys().stream().map(request::forKey).toList();
		this.taken = new HoldHandle[this.parts.size()];
		this.giveUp = context.now() + context.defaults().waitNanos(request);
	}

	boolean hasNext() {
		return this.count < this.parts.size();
	}

	LockRequest next() {
		return this.parts.get(this.count);
	}

	/** Returns the options for one key, with the rest of the wait time. */
	AcquireOptions options(LockRequest part) {
		return this.context.defaults().complete(part, Math.max(0, this.giveUp - this.context.now()));
	}

	/** Records that the next lock was acquired. */
	void taken(HoldHandle handle) {
		this.taken[this.count++] = handle;
	}

	/** Returns one handle for all locks that were acquired. */
	LockHandle asOne() {
		return LockScopes.together(taken());
	}

	/**
	 * Returns the first loss during the wait for other locks. After a loss no body may
	 * begin.
	 */
	Optional<LockLostException> loss() {
		return taken().stream().map(HoldHandle::loss).flatMap(Optional::stream).findFirst();
	}

	/**
	 * Throws the loss of a lock instead of the interrupt that it caused. The loss of one
	 * lock may interrupt the thread while that thread waits for another lock.
	 * @param interrupt what ended the waiting
	 * @throws LockLostException if it was a loss
	 */
	void replaceInterrupt(LockInterruptedException interrupt) {
		taken().forEach((handle) -> LockScopes.replaceInterrupt(handle, interrupt));
	}

	private List<HoldHandle> taken() {
		return Arrays.asList(this.taken).subList(0, this.count);
	}

	/** Gives all locks back, the last one first. Waits for the store only once. */
	void giveBack() {
		try {
			beginGiveBack().await();
		}
		catch (LockLostException ex) {
			// The listeners of the loss are notified, and the caller does not get this
			// lock.
		}
	}

	/**
	 * Begins to give all locks back, the last one first. Does not wait for the answer of
	 * the store.
	 * @return what is left to wait for
	 */
	EngineHandle.Closing beginGiveBack() {
		return unused().beginClose();
	}

	/**
	 * Lets all locks end with their leases, because an error came. Needs neither memory
	 * nor a lock.
	 */
	void abandon() {
		for (int i = 0; i < this.count; i++) {
			this.taken[i].abandon();
		}
	}

	/** Gives all locks back, the last one first, without blocking. */
	CompletionStage<@Nullable Void> giveBackAsync() {
		return unused().closeAsync().exceptionally((loss) -> null);
	}

	private EngineHandle unused() {
		EngineHandle unused = (EngineHandle) LockScopes.together(taken());
		unused.markUnused();
		return unused;
	}

}
