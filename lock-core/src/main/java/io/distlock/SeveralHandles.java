package io.distlock;

import java.time.Duration;
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

	private static final Closing NOTHING_TO_AWAIT = () -> {
	};

	private final List<LockHandle> parts;

	/** Created in advance, because there may be no memory when the locks are released. */
	private final PartsInReverse closing;

	private final AtomicBoolean closed = new AtomicBoolean();

	SeveralHandles(List<? extends LockHandle> parts) {
		this.parts = List.copyOf(parts);
		this.closing = new PartsInReverse(this.parts);
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
		if (!this.closed.compareAndSet(false, true)) {
			return NOTHING_TO_AWAIT;
		}
		this.closing.begin();
		return this.closing;
	}

	@Override
	public CompletionStage<@Nullable Void> closeAsync() {
		return this.closed.compareAndSet(false, true) ? this.closing.beginAsync()
				: CompletableFuture.completedFuture(null);
	}

	private static @Nullable Throwable both(@Nullable Throwable first, @Nullable Throwable second) {
		if (first != null && second != null && first != second) {
			try {
				first.addSuppressed(second);
			}
			catch (OutOfMemoryError ex) {
				// The first failure has to do.
			}
		}
		return (first != null) ? first : second;
	}

	@Override
	public String toString() {
		return "LockHandle[" + KeyText.of(key()) + (isHeld() ? ", held]" : ", not held]");
	}

	/**
	 * Closes parts, the last one first. Whatever a part throws, the other parts are
	 * closed too. Confined to the thread that closes.
	 */
	private static final class PartsInReverse implements Closing {

		private final LockHandle[] parts;

		private final @Nullable Closing[] begun;

		private final @Nullable CompletionStage<?>[] stages;

		private @Nullable Throwable failure;

		PartsInReverse(List<LockHandle> parts) {
			int count = parts.size();
			this.parts = new LockHandle[count];
			for (int i = 0; i < count; i++) {
				this.parts[i] = parts.get(count - 1 - i);
			}
			this.begun = new Closing[count];
			this.stages = new CompletionStage<?>[count];
		}

		void begin() {
			for (int i = 0; i < this.parts.length; i++) {
				try {
					if (this.parts[i] instanceof EngineHandle handle) {
						this.begun[i] = handle.beginClose();
					}
					else {
						this.parts[i].close();
					}
				}
				catch (RuntimeException | Error ex) {
					this.failure = both(this.failure, ex);
				}
			}
		}

		@Override
		public void await() {
			for (Closing part : this.begun) {
				try {
					if (part != null) {
						part.await();
					}
				}
				catch (RuntimeException | Error ex) {
					this.failure = both(this.failure, ex);
				}
			}
			if (this.failure instanceof Error error) {
				throw error;
			}
			if (this.failure instanceof RuntimeException exception) {
				throw exception;
			}
		}

		CompletionStage<@Nullable Void> beginAsync() {
			for (int i = 0; i < this.parts.length; i++) {
				try {
					this.stages[i] = this.parts[i].closeAsync();
				}
				catch (RuntimeException | Error ex) {
					this.failure = both(this.failure, ex);
				}
			}
			CompletionStage<@Nullable Throwable> ends = CompletableFuture.completedFuture(this.failure);
			for (CompletionStage<?> stage : this.stages) {
				if (stage != null) {
					ends = stage.handle((done, failed) -> failed)
						.thenCombine(ends, (failed, earlier) -> both(earlier, failed));
				}
			}
			return ends.thenCompose((failed) -> (failed != null) ? CompletableFuture.failedFuture(failed)
					: CompletableFuture.<@Nullable Void>completedFuture(null));
		}

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
						.<LockHandle>mapToObj((i) -> new InTwoStores(first.get(i), of(i, first.size(), second)))
						.toList();
		}

		/** A handle that does not show its parts stands for each of them. */
		private static LockHandle of(int i, int count, List<LockHandle> parts) {
			return (parts.size() == count) ? parts.get(i) : parts.get(0);
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
			LockHandle one = LockScopes.fork(this.first, request).orElse(null);
			if (one == null) {
				return Optional.empty();
			}
			LockHandle other = null;
			boolean given = false;
			try {
				other = LockScopes.fork(this.second, request).orElse(null);
				Optional<LockHandle> both = (other != null) ? Optional.of(new InTwoStores(one, other))
						: Optional.empty();
				given = both.isPresent();
				return both;
			}
			finally {
				if (!given) {
					giveBack(other, one);
				}
			}
		}

		private static void giveBack(@Nullable LockHandle other, LockHandle one) {
			try {
				if (other != null) {
					other.closeAsync();
				}
			}
			finally {
				one.closeAsync();
			}
		}

		@Override
		public String toString() {
			return "LockHandle[" + KeyText.of(key()) + " in 2 stores" + (isHeld() ? ", held]" : ", not held]");
		}

	}

}
