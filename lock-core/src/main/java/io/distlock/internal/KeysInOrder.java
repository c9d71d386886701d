package io.distlock.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.internal.key.AcquireOptions;
import io.distlock.internal.key.EngineContext;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one request in their order: how far its caller has come, and what it holds
 * while it waits for others. No body runs yet, so what is given back needs no minimum
 * hold.
 * <p>
 * Invariant: a caller waits for a key only while it holds nothing but the keys before
 * that one. The order is the same everywhere, so callers cannot wait for each other in a
 * ring.
 */
final class KeysInOrder {

	private final EngineContext context;

	private final List<LockRequest> parts;

	private final long giveUp;

	private final List<HoldHandle> taken = new ArrayList<>();

	/**
	 * Begins with the first key.
	 * @param request the request
	 * @param context what all keys share
	 */
	KeysInOrder(LockRequest request, EngineContext context) {
		this.context = context;
		this.parts = request.keys().stream().map(request::forKey).toList();
		this.giveUp = context.now() + context.defaults().waitNanos(request);
	}

	boolean hasNext() {
		return this.taken.size() < this.parts.size();
	}

	LockRequest next() {
		return this.parts.get(this.taken.size());
	}

	/** The options for one key, with the rest of the wait time. */
	AcquireOptions options(LockRequest part) {
		return this.context.defaults().complete(part, Math.max(0, this.giveUp - this.context.now()));
	}

	/** The next key was taken. */
	void taken(HoldHandle handle) {
		this.taken.add(handle);
	}

	/** Returns all locks that were taken, as one. */
	LockHandle asOne() {
		return LockScopes.together(this.taken);
	}

	/** The first loss while others were waited for: no body may begin then. */
	Optional<LockLostException> loss() {
		return this.taken.stream().map(HoldHandle::loss).flatMap(Optional::stream).findFirst();
	}

	/**
	 * The loss of one lock may interrupt the thread that waits for another one.
	 * @param interrupt what ended the waiting
	 * @throws LockLostException if it was a loss
	 */
	void replaceInterrupt(LockInterruptedException interrupt) {
		this.taken.forEach((handle) -> LockScopes.replaceInterrupt(handle, interrupt));
	}

	/** Gives all back, last first, and waits for the store once for all of them. */
	void giveBack() {
		try {
			beginGiveBack().await();
		}
		catch (LockLostException ex) {
			// Listeners are notified, and the caller gets no lost lock.
		}
	}

	/**
	 * Begins to give all back, last first, without waiting for a store that does not
	 * answer.
	 * @return what is left to wait for
	 */
	EngineHandle.Closing beginGiveBack() {
		return unused().beginClose();
	}

	/** Gives all back, last first, without blocking. */
	CompletionStage<@Nullable Void> giveBackAsync() {
		return unused().closeAsync().exceptionally((loss) -> null);
	}

	private EngineHandle unused() {
		EngineHandle unused = (EngineHandle) LockScopes.together(List.copyOf(this.taken));
		unused.markUnused();
		return unused;
	}

}
