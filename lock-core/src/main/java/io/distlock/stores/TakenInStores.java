package io.distlock.stores;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockScopes;

/** What is held in some stores while others are waited for. No body runs yet. */
final class TakenInStores {

	private final List<Part> parts = new ArrayList<>();

	void add(String key, LockHandle handle) {
		this.parts.add(new Part(key, handle));
	}

	/**
	 * Throws if one was lost while others were waited for.
	 * @throws LockLostException if no body may begin
	 */
	void ensureHeld() {
		this.parts.forEach((part) -> part.handle().ensureHeld());
	}

	/** All of them, as one: for each key one handle, in however many stores it is. */
	LockHandle together() {
		List<LockHandle> byKey = new ArrayList<>();
		for (int first = 0; first < this.parts.size();) {
			String key = this.parts.get(first).key();
			int end = first + 1;
			while (end < this.parts.size() && this.parts.get(end).key().equals(key)) {
				end++;
			}
			byKey.add(HandleInStores.of(this.parts.subList(first, end).stream().map(Part::handle).toList()));
			first = end;
		}
		return LockScopes.together(byKey);
	}

	/**
	 * The loss of one lock may interrupt the thread that waits for another one.
	 * @param interrupt what ended the waiting
	 * @throws LockLostException if it was a loss
	 */
	void replaceInterrupt(LockInterruptedException interrupt) {
		this.parts.forEach((part) -> LockScopes.replaceInterrupt(part.handle(), interrupt));
	}

	/** Gives all back, last first, and waits for each store once. */
	void giveBack() {
		if (!this.parts.isEmpty()) {
			markUnused();
			try {
				LockScopes.together(this.parts.stream().map(Part::handle).toList()).close();
			}
			catch (LockLostException ex) {
				// Listeners are notified, and the caller gets no lost lock.
			}
		}
	}

	/** The same, without blocking. */
	CompletionStage<?> giveBackAsync() {
		markUnused();
		CompletionStage<?> ends = CompletableFuture.completedFuture(null);
		List<Part> lastFirst = new ArrayList<>(this.parts);
		Collections.reverse(lastFirst);
		for (Part part : lastFirst) {
			CompletionStage<?> end = part.handle().closeAsync().exceptionally((loss) -> null);
			ends = ends.thenCombine(end, (earlier, now) -> null);
		}
		return ends;
	}

	private void markUnused() {
		this.parts.forEach((part) -> {
			if (part.handle() instanceof EngineHandle handle) {
				handle.markUnused();
			}
		});
	}

	/**
	 * A lock in one store.
	 *
	 * @param key the lock
	 * @param handle what holds it there
	 */
	private record Part(String key, LockHandle handle) {
	}

}
