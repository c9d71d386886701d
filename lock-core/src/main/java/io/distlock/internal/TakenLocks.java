package io.distlock.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockScopes;

/**
 * Those of several locks that are held while others are waited for. No body runs yet, so
 * what is given back needs no minimum hold.
 */
final class TakenLocks {

	private final List<HoldHandle> handles = new ArrayList<>();

	void add(HoldHandle handle) {
		this.handles.add(handle);
	}

	/** All of them, as one. */
	LockHandle together() {
		return LockScopes.together(this.handles);
	}

	/** The first loss while others were waited for: no body may begin then. */
	Optional<LockLostException> loss() {
		return this.handles.stream().map(HoldHandle::loss).flatMap(Optional::stream).findFirst();
	}

	/**
	 * The loss of one lock may interrupt the thread that waits for another one.
	 * @param interrupt what ended the waiting
	 * @throws LockLostException if it was a loss
	 */
	void replaceInterrupt(LockInterruptedException interrupt) {
		this.handles.forEach((handle) -> LockScopes.replaceInterrupt(handle, interrupt));
	}

	/** Gives all back, last first, and waits for the store once for all of them. */
	void giveBack() {
		for (EngineHandle.Closing closing : beginGiveBack()) {
			try {
				closing.await();
			}
			catch (LockLostException ex) {
				// Listeners are notified, and the caller gets no lost lock.
			}
		}
	}

	/**
	 * The same without waiting, for a store that does not answer.
	 * @return what is left to wait for
	 */
	List<EngineHandle.Closing> beginGiveBack() {
		return lastFirst().stream().map(HoldHandle::beginGiveBack).toList();
	}

	/** The same, without blocking. */
	CompletionStage<?> giveBackAsync() {
		CompletionStage<?> ends = CompletableFuture.completedFuture(null);
		for (HoldHandle handle : lastFirst()) {
			CompletionStage<?> end = handle.giveBackAsync().exceptionally((loss) -> null);
			ends = ends.thenCombine(end, (earlier, now) -> null);
		}
		return ends;
	}

	private List<HoldHandle> lastFirst() {
		List<HoldHandle> reversed = new ArrayList<>(this.handles);
		Collections.reverse(reversed);
		return reversed;
	}

}
