package io.distlock.internal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import io.distlock.internal.key.AcquireOptions;
import io.distlock.internal.key.EngineContext;
import io.distlock.internal.key.Waiter;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one request in their order: how far its caller has come, what it holds
 * while it waits for others, and how many of them it may ask for at once. No body runs
 * yet, so what is given back needs no minimum hold.
 * <p>
 * Invariant: a caller waits for others only for {@link #first()}, while it holds nothing
 * but the keys before that one. The order is the same everywhere, so callers cannot wait
 * for each other in a ring.
 */
final class KeysInOrder {

	/** How many commands a caller sends before the first answer. */
	static final int MOST_AT_ONCE = 64;

	/**
	 * After so many refusals the rest is taken one by one: what others hold would only be
	 * taken and given back again and again.
	 */
	private static final int MOST_REFUSALS = 2;

	private final EngineContext context;

	private final List<LockRequest> parts;

	private final long giveUp;

	private final boolean waits;

	/** What was refused at its first attempt, and is still observed. */
	private final Map<String, Waiter> refused = new HashMap<>();

	/** The locks of all keys before {@link #first()}. */
	private final List<HoldHandle> taken = new ArrayList<>();

	private int refusals;

	private boolean waitsForFirst;

	/**
	 * Begins with the first key.
	 * @param request the request
	 * @param context what all keys share
	 */
	KeysInOrder(LockRequest request, EngineContext context) {
		long waitNanos = context.waitNanos(request);
		this.context = context;
		this.parts = request.keys().stream().map(request::forKey).toList();
		this.giveUp = context.now() + waitNanos;
		this.waits = waitNanos > 0;
	}

	boolean hasNext() {
		return this.taken.size() < this.parts.size();
	}

	LockRequest first() {
		return this.parts.get(this.taken.size());
	}

	/**
	 * Whether to try several keys at once, waiting for none. A caller that does not wait
	 * at all takes them one by one: of two that met, each could refuse the other.
	 */
	boolean mayTryBatch() {
		// mutant: together-impatient
		boolean impatient = !this.waits;
		return !impatient && !this.waitsForFirst && this.refusals < MOST_REFUSALS
				&& this.parts.size() - this.taken.size() > 1;
	}

	/** The keys to try at once. */
	List<LockRequest> batch() {
		return this.parts.subList(this.taken.size(), Math.min(this.parts.size(), this.taken.size() + MOST_AT_ONCE));
	}

	/** What is wanted of a key that the caller may wait for as long as it has time. */
	AcquireOptions waiting(LockRequest part) {
		return options(part, Math.max(0, this.giveUp - this.context.now()));
	}

	/** What is wanted of a key that the caller does not wait for. */
	AcquireOptions trying(LockRequest part) {
		// mutant: together-waits
		long waitNanos = 0;
		return options(part, waitNanos).asOneOfSeveral();
	}

	private AcquireOptions options(LockRequest part, long waitNanos) {
		Waiter earlier = this.refused.remove(part.key());
		return (earlier != null) ? earlier.again(waitNanos) : this.context.acquireOptions(part, waitNanos);
	}

	/** The first key was taken. */
	void taken(HoldHandle handle) {
		this.taken.add(handle);
		this.waitsForFirst = false;
	}

	/** The first key, and perhaps others, are not free: the caller waits for it. */
	void refused() {
		this.refusals++;
		this.waitsForFirst = true;
	}

	/** An attempt was refused that is to be repeated. */
	void refused(LockRequest part, Waiter attempt) {
		this.refused.put(part.key(), attempt);
	}

	/** The caller has all keys, or wants them no more. */
	void end() {
		this.refused.values().forEach((attempt) -> attempt.report(this.context.clock()));
		this.refused.clear();
	}

	// What is held while others are waited for

	/** All locks that were taken, as one. */
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
		return lastFirst().stream().map(KeysInOrder::beginGiveBack).toList();
	}

	/** An error keeps none of the others from being given back. */
	private static EngineHandle.Closing beginGiveBack(HoldHandle handle) {
		try {
			return handle.beginGiveBack();
		}
		catch (Error ex) {
			return () -> {
				throw ex;
			};
		}
	}

	/** The same, without blocking. */
	CompletionStage<?> giveBackAsync() {
		CompletionStage<?> ends = CompletableFuture.completedFuture(null);
		for (HoldHandle handle : lastFirst()) {
			CompletionStage<?> end = giveBackAsync(handle).exceptionally((loss) -> null);
			ends = ends.thenCombine(end, (earlier, now) -> null);
		}
		return ends;
	}

	private static CompletionStage<@Nullable Void> giveBackAsync(HoldHandle handle) {
		try {
			return handle.giveBackAsync();
		}
		catch (Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private List<HoldHandle> lastFirst() {
		List<HoldHandle> reversed = new ArrayList<>(this.taken);
		Collections.reverse(reversed);
		return reversed;
	}

}
