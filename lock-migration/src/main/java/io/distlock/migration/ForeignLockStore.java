package io.distlock.migration;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.migration.ForeignLocks.Answer;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;

/**
 * Keeps locks where another library keeps them, so that both exclude each other. The
 * other library has no queue. A request therefore asks again after a pause.
 * <p>
 * While the other library uses the locks, a released lock is left to the next request of
 * this library for a moment, but only for a limited turn. After the turn a new request
 * pauses before it asks for a free lock. Both libraries get turns in this way.
 */
final class ForeignLockStore implements LockStore {

	private static final Logger logger = LoggerFactory.getLogger(ForeignLockStore.class);

	/** How long the other library counts as present after it was seen. */
	private static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final int THREADS = 8;

	/** The longest pause, while the lock goes from owner to owner. */
	private static final int USUAL_PAUSE = 8;

	/** The longest pause, while one owner has the lock for long. */
	private static final int LONGEST_PAUSE = 100;

	/** Stands for an owner of the other library. */
	private static final RequestId NOBODY = new RequestId("foreign", 1);

	/** How long a released lock is left to the next request of this library. */
	private static final long LEFT_MILLIS = 25;

	private static final long LEAST_TURN_MICROS = 5_000;

	private static final long MOST_TURN_MICROS = 250_000;

	private final String description;

	private final ForeignLocks locks;

	private final UnaryOperator<String> names;

	private final Runnable busy;

	private final boolean dryRun;

	/** The last request for each lock, by the name of the lock in the other library. */
	private final ConcurrentMap<String, Asked> requests = new ConcurrentHashMap<>();

	private volatile long present = System.nanoTime() - PRESENT_NANOS;

	private volatile @Nullable ThreadPoolExecutor threads;

	/**
	 * Creates a store.
	 * @param description describes the store for people
	 * @param locks the locks of the other library
	 * @param names returns the name of a lock in the other library
	 * @param busy called for each request that found the other library to have the lock
	 * @param dryRun whether to take no locks and only log their names
	 */
	ForeignLockStore(String description, ForeignLocks locks, UnaryOperator<String> names, Runnable busy,
			boolean dryRun) {
		this.description = description;
		this.locks = locks;
		this.names = names;
		this.busy = busy;
		this.dryRun = dryRun;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		ThreadPoolExecutor started = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (task) -> {
					Thread daemon = new Thread(task, "distributed-lock-foreign");
					daemon.setDaemon(true);
					return daemon;
				});
		started.allowCoreThreadTimeOut(true);
		this.threads = started;
	}

	@Override
	public void stop() {
		Objects.requireNonNull(this.threads).shutdown();
	}

	@Override
	public Set<Capability> unsupported() {
		return Set.of(Capability.SHARED, Capability.PERMITS, Capability.QUEUE, Capability.TOKENS, Capability.LISTING,
				Capability.FORCE_RELEASE);
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		if (!(command.sharing() instanceof Sharing.Exclusive)) {
			return refused(Capability.SHARED);
		}
		String name;
		try {
			name = this.names.apply(command.key());
		}
		catch (RuntimeException ex) {
			return unnamed(command.key(), ex);
		}
		Asked asked = Objects.requireNonNull(this.requests.compute(name,
				(same, before) -> (before != null && !before.isLost()
						&& (!before.isOfKey(command.key()) || before.isOf(command.request()))) ? before
								: new Asked(command)));
		if (!asked.isOfKey(command.key())) {
			return sameName(command.key(), asked.command.key(), name);
		}
		return run(command.key(), () -> this.dryRun ? dryRun(command, name) : ask(command, name, asked));
	}

	private AcquireResult ask(AcquireCommand command, String name, Asked asked) {
		boolean turnOver = command.queue() && !asked.waits() && isPresent();
		Answer answer = this.locks.acquire(name, command.request(), command.lease().toMillis(), !turnOver,
				asked.turn());
		if (asked.isOver(this.requests.get(name))) {
			// The end has come before this answer, and perhaps before the attempt.
			this.locks.finish(name, command.request(), 0, 0);
			return new AcquireResult.Ended();
		}
		long now = TimeUnit.MICROSECONDS.toMillis(answer.micros());
		if (answer.yes()) {
			asked.contended = asked.waits() || !answer.text().isEmpty();
			asked.heldFor(command.lease());
			return new AcquireResult.Granted(
					new Grant(answer.micros(), command.tokens(), now + command.lease().toMillis(), now),
					isPresent() ? 1 : 0);
		}
		if (answer.outcome() < 0) {
			return new AcquireResult.Ended();
		}
		Holder holder = holder(answer);
		if (holder != null) {
			this.present = System.nanoTime();
			if (asked.sees(holder.caller())) {
				this.busy.run();
			}
		}
		if (command.queue()) {
			return new AcquireResult.Queued(now, asked.pause(), holder);
		}
		this.requests.remove(name, asked);
		return new AcquireResult.Busy(holder);
	}

	private boolean isPresent() {
		return System.nanoTime() - this.present < PRESENT_NANOS;
	}

	/** Returns who holds a lock of the other library, {@code null} if it is one of us. */
	private @Nullable Holder holder(Answer answer) {
		return (answer.text().isEmpty() || answer.text().startsWith(OwnerText.PREFIX)) ? null
				: new Holder(this.description, "", "", "", answer.text(), Instant.EPOCH);
	}

	/** Compares without taking part: what the other library does decides nothing yet. */
	private AcquireResult dryRun(AcquireCommand command, String name) {
		Answer answer = this.locks.inspect(name);
		logger.info("Dry run: lock '{}' is '{}' in {}, where it is {} now", KeyText.of(command.key()),
				ForeignText.of(name), this.description, answer.yes() ? "held" : "free");
		return new AcquireResult.Granted(
				new Grant(System.currentTimeMillis() * 1000, command.tokens(), command.lease().toMillis(), 0), 0);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		long lease = command.lease().toMillis();
		return run(command.key(), () -> {
			String name = this.names.apply(command.key());
			Answer answer = this.dryRun ? new Answer(1, 0, String.valueOf(lease))
					: this.locks.renew(name, command.request(), lease);
			this.requests.computeIfPresent(name, (same, asked) -> asked.renewed(command, answer.yes()));
			long now = TimeUnit.MICROSECONDS.toMillis(answer.micros());
			return answer.yes()
					? new RenewResult.Renewed(new Grant(answer.micros(), Math.max(1, command.tokens()),
							now + Long.parseLong(answer.text()), now), isPresent() ? 1 : 0)
					: new RenewResult.Gone(false);
		});
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		String name;
		try {
			name = this.names.apply(key);
		}
		catch (RuntimeException ex) {
			// Nothing was taken.
			return CompletableFuture.completedFuture(FinishResult.UNKNOWN);
		}
		Asked asked = this.requests.get(name);
		if (asked != null && !asked.isOfKey(key)) {
			// The other lock of this name was refused to this key.
			return CompletableFuture.completedFuture(FinishResult.UNKNOWN);
		}
		boolean contended = asked != null && asked.isOf(request) && this.requests.remove(name, asked)
				&& asked.contended;
		long leave = (isPresent() || contended) ? LEFT_MILLIS : 0;
		return run(key, () -> {
			if (!this.dryRun && !this.locks.finish(name, request, keepFor.toMillis(), leave).yes()) {
				return FinishResult.UNKNOWN;
			}
			if (leave > 0) {
				// Whoever waits was told of a release, but perhaps found it left to us.
				CompletableFuture.runAsync(() -> this.locks.tell(name), CompletableFuture.delayedExecutor(leave + 1,
						TimeUnit.MILLISECONDS, Objects.requireNonNull(this.threads)));
			}
			return FinishResult.RELEASED;
		});
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return run(key, () -> {
			Answer answer = this.locks.inspect(this.names.apply(key));
			Duration left = Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(answer.micros()));
			OwnerText ours = OwnerText.parse(answer.text());
			RequestId owner = (ours != null) ? new RequestId(ours.instance(), ours.number()) : NOBODY;
			return LockSnapshot.of(key, true,
					answer.yes() ? List.of(new LockSnapshot.Hold(owner, holder(answer), 0, left)) : List.of(), 0,
					List.of());
		});
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return refused(Capability.FORCE_RELEASE);
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return refused(Capability.LISTING);
	}

	private <T> CompletionStage<T> unnamed(String key, RuntimeException failure) {
		return CompletableFuture.failedFuture(new LockStoreException(key,
				this.description + " have no name for it: " + ForeignText.messageOf(failure), failure));
	}

	/**
	 * Refuses a lock whose name another lock of this process has. The other library takes
	 * both for one, and both would be held.
	 */
	private <T> CompletionStage<T> sameName(String key, String other, String name) {
		return CompletableFuture.failedFuture(new LockStoreException(key,
				this.description + " have one name for it and for lock '" + KeyText.of(other) + "', '"
						+ ForeignText.of(name) + "'. Give each lock a name of its own there",
				null));
	}

	private <T> CompletionStage<T> refused(Capability capability) {
		return CompletableFuture.failedFuture(new LockStoreException("", capability.lackedBy(this), null));
	}

	@Override
	public String describe() {
		return this.description + (this.dryRun ? " (dry run)" : "");
	}

	private <T> CompletionStage<T> run(String key, Supplier<T> step) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		Runnable task = () -> {
			try {
				answer.complete(step.get());
			}
			catch (RuntimeException ex) {
				answer.completeExceptionally(this.locks.translate(key, this.description, ex));
			}
			catch (Error ex) {
				answer.completeExceptionally(ex);
			}
		};
		try {
			// Not the caller's thread, which a client of the application may block for
			// long.
			Objects.requireNonNull(this.threads).execute(task);
		}
		catch (RejectedExecutionException ex) {
			answer.completeExceptionally(new LockStoreException(key, "The store has been stopped", ex));
		}
		return answer;
	}

	/** The last request for a lock. */
	private static final class Asked {

		private final AcquireCommand command;

		private volatile @Nullable String seen;

		private volatile long since;

		/** Whether the request had to wait, or goes on with the turn of another one. */
		private volatile boolean contended;

		private final long begun = System.nanoTime();

		/** When the lease ends; empty while the request waits. */
		private volatile OptionalLong leaseEnd = OptionalLong.empty();

		Asked(AcquireCommand command) {
			this.command = command;
		}

		boolean isOfKey(String key) {
			return this.command.key().equals(key);
		}

		boolean isOf(RequestId request) {
			return this.command.request().equals(request);
		}

		/** Returns whether another request, or none, has taken the place of this one. */
		boolean isOver(@Nullable Asked current) {
			return current == null || !current.isOf(this.command.request());
		}

		void heldFor(Duration lease) {
			this.leaseEnd = OptionalLong.of(System.nanoTime() + lease.toNanos());
		}

		/**
		 * Returns whether the lease is over. The hold is lost then, and no command ends a
		 * lost hold.
		 */
		boolean isLost() {
			OptionalLong end = this.leaseEnd;
			return end.isPresent() && System.nanoTime() - end.getAsLong() > 0;
		}

		/**
		 * Notes the answer to a renewal. Returns this, or {@code null} if the other
		 * library does not know the hold any more.
		 */
		@Nullable Asked renewed(RenewCommand command, boolean known) {
			if (!isOf(command.request())) {
				return this;
			}
			heldFor(command.lease());
			return known ? this : null;
		}

		boolean waits() {
			return this.since != 0;
		}

		/**
		 * Returns how long this library may have the lock, which is as long as it has
		 * waited. So both libraries have it for about the same time.
		 */
		long turn() {
			long waited = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - this.begun);
			return Math.max(LEAST_TURN_MICROS, Math.min(MOST_TURN_MICROS, 2 * waited));
		}

		/** Notes who has the lock, and returns whether this is the first one. */
		boolean sees(String owner) {
			boolean first = this.seen == null;
			if (!owner.equals(this.seen)) {
				this.seen = owner;
				this.since = System.nanoTime();
			}
			return first;
		}

		/** Returns a pause that grows with the time for which one owner has the lock. */
		Duration pause() {
			long now = System.nanoTime();
			this.since = (this.since != 0) ? this.since : now;
			long unchanged = TimeUnit.NANOSECONDS.toMillis(now - this.since);
			int most = (int) Math.max(USUAL_PAUSE, Math.min(LONGEST_PAUSE, unchanged / 2));
			return Duration.ofMillis(ThreadLocalRandom.current().nextInt(most / 4, most + 1));
		}

	}

}
