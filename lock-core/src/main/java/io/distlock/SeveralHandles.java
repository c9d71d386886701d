package io.distlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/** The handle of several locks that were acquired together. */
class SeveralHandles implements EngineHandle {

	private final List<LockHandle> parts;

	private final AtomicBoolean closed = new AtomicBoolean();

	SeveralHandles(List<? extends LockHandle> parts) {
		this.parts = List.copyOf(parts);
	}

	@Override
	public String key() {
		return this.parts.stream().map(LockHandle::key).collect(Collectors.joining(", "));
	}

	@Override
	public List<LockHandle> parts() {
		return this.parts;
	}

	@Override
	public long fencingToken() {
		throw new IllegalStateException("There is no one fencing token for the locks '" + KeyText.of(key())
				+ "': each has its own. Take those of parts(), or fence each resource by the lock that protects it");
	}

	@Override
	public boolean isHeld() {
		return this.parts.stream().allMatch(LockHandle::isHeld);
	}

	@Override
	public Duration remaining() {
		return this.parts.stream().map(LockHandle::remaining).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
	}

	@Override
	public OnLost reactionToLoss() {
		return (this.parts.get(0) instanceof EngineHandle first) ? first.reactionToLoss() : OnLost.REPORT;
	}

	@Override
	public void ensureHeld() {
		this.parts.forEach(LockHandle::ensureHeld);
	}

	@Override
	public void extend(Duration atLeast) {
		try {
			extendAsync(atLeast).toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			if (FutureFailures.unwrap(ex) instanceof RuntimeException failure) {
				throw failure;
			}
			throw ex;
		}
	}

	@Override
	public CompletionStage<@Nullable Void> extendAsync(Duration atLeast) {
		CompletionStage<@Nullable Throwable> all = CompletableFuture.completedFuture(null);
		for (LockHandle part : this.parts) {
			all = part.extendAsync(atLeast)
				.handle((done, failure) -> failure)
				.thenCombine(all, (failure, earlier) -> both(earlier, failure));
		}
		return all.thenCompose((failure) -> (failure != null) ? CompletableFuture.failedFuture(failure)
				: CompletableFuture.<@Nullable Void>completedFuture(null));
	}

	@Override
	public void holdAtLeast(Duration atLeast) {
		this.parts.forEach((part) -> part.holdAtLeast(atLeast));
	}

	@Override
	public boolean isInterruptedByLoss() {
		return this.parts.stream()
			.anyMatch((part) -> part instanceof EngineHandle handle && handle.isInterruptedByLoss());
	}

	@Override
	public boolean isClosed() {
		return this.closed.get();
	}

	@Override
	public boolean isOwnedByThread() {
		return !(this.parts.get(0) instanceof EngineHandle first) || first.isOwnedByThread();
	}

	@Override
	public Optional<LockHandle> fork(LockRequest request) {
		// The caller forks each part separately.
		return Optional.empty();
	}

	@Override
	public void markUnused() {
		this.parts.forEach((part) -> {
			if (part instanceof EngineHandle handle) {
				handle.markUnused();
			}
		});
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		AtomicBoolean over = new AtomicBoolean();
		List<Registration> registrations = this.parts.stream().map((part) -> part.onLost((lost) -> {
			if (!this.closed.get() && over.compareAndSet(false, true)) {
				callback.accept(this);
			}
		})).toList();
		return () -> {
			over.set(true);
			registrations.forEach(Registration::close);
		};
	}

	@Override
	public void close() {
		beginClose().await();
	}

	@Override
	public Closing beginClose() {
		this.closed.set(true);
		List<Closing> begun = lastFirst().stream().map(SeveralHandles::beginClose).toList();
		return () -> awaitAll(begun);
	}

	/** Begins to close a part. Whatever it throws, the other parts are closed too. */
	private static Closing beginClose(LockHandle part) {
		try {
			if (part instanceof EngineHandle handle) {
				return handle.beginClose();
			}
			part.close();
			return () -> {
			};
		}
		catch (RuntimeException ex) {
			return () -> {
				throw ex;
			};
		}
		catch (Error ex) {
			return () -> {
				throw ex;
			};
		}
	}

	private static void awaitAll(List<Closing> begun) {
		Throwable failure = null;
		for (Closing closing : begun) {
			try {
				closing.await();
			}
			catch (RuntimeException | Error ex) {
				failure = both(failure, ex);
			}
		}
		if (failure instanceof Error error) {
			throw error;
		}
		if (failure instanceof RuntimeException exception) {
			throw exception;
		}
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		this.closed.set(true);
		CompletionStage<@Nullable Throwable> ends = CompletableFuture.completedFuture(null);
		for (LockHandle part : lastFirst()) {
			ends = closeAsync(part).handle((done, failure) -> failure)
				.thenCombine(ends, (failure, earlier) -> both(earlier, failure));
		}
		return ends.thenCompose((failure) -> (failure != null) ? CompletableFuture.failedFuture(failure)
				: CompletableFuture.<@Nullable Void>completedFuture(null));
	}

	private static CompletionStage<@Nullable Void> closeAsync(LockHandle part) {
		try {
			return part.closeAsync();
		}
		catch (RuntimeException | Error ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private List<LockHandle> lastFirst() {
		List<LockHandle> reversed = new ArrayList<>(this.parts);
		Collections.reverse(reversed);
		return reversed;
	}

	private static <T extends Throwable> @Nullable T both(@Nullable T first, @Nullable T second) {
		if (first != null && second != null) {
			first.addSuppressed(second);
		}
		return (first != null) ? first : second;
	}

	@Override
	public String toString() {
		return "LockHandle[" + KeyText.of(key()) + (isHeld() ? ", held]" : ", not held]");
	}

	/**
	 * The handle of locks that are held in two stores, with the same keys in both.
	 */
	static final class InTwoStores extends SeveralHandles {

		private final LockHandle first;

		private final LockHandle second;

		private final List<LockHandle> byKey;

		InTwoStores(LockHandle first, LockHandle second) {
			super(List.of(first, second));
			this.first = first;
			this.second = second;
			this.byKey = byKey(first.parts(), second.parts());
		}

		private static List<LockHandle> byKey(List<LockHandle> first, List<LockHandle> second) {
			return (first.size() == 1) ? List.of()
					: IntStream.range(0, first.size())
						.<LockHandle>mapToObj((i) -> new InTwoStores(first.get(i), second.get(i)))
						.toList();
		}

		@Override
		public String key() {
			return this.first.key();
		}

		@Override
		public List<LockHandle> parts() {
			return this.byKey.isEmpty() ? List.of(this) : this.byKey;
		}

		@Override
		public long fencingToken() {
			return this.first.fencingToken();
		}

		@Override
		public Optional<LockHandle> fork(LockRequest request) {
			Optional<LockHandle> fork = LockScopes.fork(this.first, request);
			return fork.flatMap((one) -> {
				try {
					Optional<LockHandle> other = LockScopes.fork(this.second, request);
					if (other.isEmpty()) {
						one.closeAsync();
					}
					return other.map((both) -> new InTwoStores(one, both));
				}
				catch (RuntimeException ex) {
					one.closeAsync();
					throw ex;
				}
			});
		}

		@Override
		public String toString() {
			return "LockHandle[" + KeyText.of(key()) + " in 2 stores" + (isHeld() ? ", held]" : ", not held]");
		}

	}

}
