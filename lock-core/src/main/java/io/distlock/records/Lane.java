package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

import io.distlock.LockStoreException;
import io.distlock.internal.state.LockState;
import io.distlock.internal.state.LockText;
import io.distlock.internal.state.StateMessage;
import io.distlock.internal.state.StateMoment;
import io.distlock.internal.state.StateSummary;
import io.distlock.internal.state.UnreadableRecordException;
import io.distlock.records.LockRecords.Change;
import io.distlock.records.LockRecords.Expected;
import io.distlock.records.LockRecords.Message;
import io.distlock.records.LockRecords.Moment;
import io.distlock.records.LockRecords.Seen;
import io.distlock.records.LockRecords.Summary;
import io.distlock.records.LockRecords.Written;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;

/**
 * The commands of this process for one lock. One change is under way at a time; commands
 * that arrive meanwhile go together in the next one.
 * <p>
 * No answer comes from memory: it rests on a write that has won, or on a read made for
 * it. What is remembered of the record only spares the read before a write.
 */
final class Lane {

	private static final int TRIES_AT_ONCE = 2;

	private static final int LONGEST_SUMMARY = 200;

	private static final Duration FIRST_SETTLING = Duration.ofSeconds(1);

	/** A minute between two attempts at the most. */
	private static final int MOST_DOUBLINGS = 6;

	private final LaneContext context;

	private final String key;

	// Not synchronized: virtual threads before JDK 24 would pin their carrier.
	private final ReentrantLock lock = new ReentrantLock();

	/** Guarded by the lock, like the five that follow. */
	private final ArrayDeque<LaneJob<?>> jobs = new ArrayDeque<>();

	private boolean busy;

	/** Whether it is about to run together with others, unless something is urgent. */
	private boolean gathered;

	/** Whether a request of this process followed the last release before its answer. */
	private boolean followed;

	/** Whether something is planned that makes sure of an uncertain write. */
	private boolean settling;

	private int settlings;

	// The rest belongs to the change that is under way.

	/** The record as this process has left or seen it, while it concerns this process. */
	private Optional<Seen> known = Optional.empty();

	/** Whether a write of this process may still be executed. */
	private boolean uncertain;

	/** Whether requests waited when the record was last computed. */
	private boolean awaited;

	/** Commands that arrived too late together with others, and go with others again. */
	private List<LaneJob<?>> postponed = List.of();

	/** The highest stamp of all writes of this lane that expected a free lock. */
	private long takeStamp;

	Lane(LaneContext context, String key) {
		this.context = context;
		this.key = key;
	}

	/**
	 * Adds a command.
	 * @return {@code true} if the caller has to {@link #run()} the lane
	 */
	boolean add(LaneJob<?> job) {
		this.lock.lock();
		try {
			this.jobs.add(job);
			this.followed |= this.busy && job.kind() == LaneJob.Kind.TAKE;
			// mutant: urgent-waits
			boolean idle = !this.busy || this.gathered;
			this.gathered = false;
			this.busy = true;
			return idle;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds a command that may wait a little for those of other locks.
	 * @return {@code true} if the caller has to gather the lane, and run it soon if it is
	 * still to be {@link #leave() run} then
	 */
	boolean addPatient(LaneJob<?> job) {
		this.lock.lock();
		try {
			this.jobs.add(job);
			boolean idle = !this.busy;
			this.busy = true;
			this.gathered |= idle;
			return idle;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the wait for other locks.
	 * @return {@code false} if the lane did not wait any more
	 */
	boolean leave() {
		this.lock.lock();
		try {
			boolean waited = this.gathered;
			this.gathered = false;
			return waited;
		}
		finally {
			this.lock.unlock();
		}
	}

	String key() {
		return this.key;
	}

	/**
	 * Remembers a record that a message has brought along, if it is newer than what is
	 * known. Like all that is remembered it only spares a read: a write on top of an
	 * outdated record loses.
	 */
	void learn(Seen left) {
		this.lock.lock();
		try {
			// mutant: older-record
			boolean newer = this.known.isPresent() && left.stamp() > this.known.get().stamp();
			boolean resting = !this.busy && !this.uncertain;
			if (resting && newer) {
				this.known = Optional.of(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether nothing of this lane needs to be remembered. */
	boolean isForgettable() {
		this.lock.lock();
		try {
			return !this.busy && this.known.isEmpty() && !this.uncertain;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * There is nothing to do. A write that is uncertain is made sure of later by one that
	 * wins, since the late one loses then; nobody may ask for this lock again, and until
	 * then the lane is remembered.
	 */
	private void rest() {
		this.context.idle(this.key);
		nextSettling().ifPresent((pause) -> this.context.scheduler().schedule(pause, this::settle));
	}

	private Optional<Duration> nextSettling() {
		this.lock.lock();
		try {
			if (this.busy || this.settling || !this.uncertain) {
				return Optional.empty();
			}
			this.settling = true;
			Duration pause = FIRST_SETTLING.multipliedBy(1L << Math.min(this.settlings, MOST_DOUBLINGS));
			this.settlings++;
			return Optional.of(pause);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void settle() {
		this.lock.lock();
		try {
			this.settling = false;
			if (!this.uncertain) {
				this.settlings = 0;
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		this.context.settle(this.key);
	}

	/**
	 * Executes what has been added. If it ends a hold, the next request of this process
	 * may follow at once, and both are one change: the engine adds it before the thread
	 * that waits for the release goes on. If no thread waits, the next moment will tell.
	 * @param first what has been added
	 */
	void begin(LaneJob<?> first) {
		boolean release = first.kind() == LaneJob.Kind.RELEASE;
		// mutant: caller-begins
		boolean deferred = release && first.caller().offer(this::run);
		if (deferred) {
			return;
		}
		// mutant: sent-begins
		boolean expected = release && expectsRequest();
		if (expected) {
			this.context.scheduler().schedule(Duration.ZERO, this::runUnfollowed);
		}
		else {
			run();
		}
	}

	/**
	 * Whether a release that is only sent waits for a request, as one followed the last
	 * release. Not of a lock that others wait for.
	 */
	private boolean expectsRequest() {
		this.lock.lock();
		try {
			// mutant: sent-awaited
			boolean alone = !this.awaited && this.jobs.size() == 1;
			this.gathered = alone && this.followed;
			return this.gathered;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void runUnfollowed() {
		if (leaveUnfollowed()) {
			run();
		}
	}

	private boolean leaveUnfollowed() {
		this.lock.lock();
		try {
			boolean waited = this.gathered;
			this.gathered = false;
			this.followed &= !waited;
			return waited;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Executes what has been added. The caller of a store may have locks of its own, so
	 * its thread completes no other command than its own one, unless it executes it.
	 */
	void run() {
		List<LaneJob<?>> batch = next();
		long now = this.context.nanoTime();
		run(batch, new Attempt(batch, now, 0, alone(batch, now)));
	}

	/**
	 * Executes what has been added.
	 * @param writer writes a change, the first one perhaps together with others
	 */
	void run(Function<Change, CompletionStage<Written>> writer) {
		List<LaneJob<?>> batch = next();
		run(batch, new Attempt(batch, this.context.nanoTime(), 0, writer));
	}

	private void run(List<LaneJob<?>> batch, Attempt first) {
		if (batch.isEmpty()) {
			rest();
			return;
		}
		CompletableFuture<Void> done = attempt(first, Optional.empty()).toCompletableFuture();
		if (!done.isDone()) {
			done.whenComplete((nothing, failure) -> goOn());
		}
		else if (!this.postponed.isEmpty()) {
			goOn();
		}
		else if (isEmpty()) {
			rest();
		}
		else {
			this.context.scheduler().schedule(Duration.ZERO, this::run);
		}
	}

	/** Executes what has arrived meanwhile, unless the rest can wait for others again. */
	private void goOn() {
		List<LaneJob<?>> again = this.postponed;
		this.postponed = List.of();
		if (!again.isEmpty() && putBack(again)) {
			this.context.gather(this);
		}
		else {
			run();
		}
	}

	/**
	 * Adds commands again, before those that came later.
	 * @return {@code true} if none came, so that they can wait
	 */
	private boolean putBack(List<LaneJob<?>> again) {
		this.lock.lock();
		try {
			// mutant: late-urgent
			this.gathered = this.jobs.isEmpty();
			for (int i = again.size() - 1; i >= 0; i--) {
				this.jobs.addFirst(again.get(i));
			}
			return this.gathered;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Ends the work on this lane if there is nothing left. */
	private boolean isEmpty() {
		this.lock.lock();
		try {
			this.busy = !this.jobs.isEmpty();
			return !this.busy;
		}
		finally {
			this.lock.unlock();
		}
	}

	private List<LaneJob<?>> next() {
		this.lock.lock();
		try {
			List<LaneJob<?>> batch = new ArrayList<>(this.jobs);
			this.jobs.clear();
			this.busy = !batch.isEmpty();
			return batch;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Completes normally once all commands of the batch have been answered. */
	private CompletionStage<Void> attempt(Attempt attempt, Optional<Seen> seen) {
		List<LaneJob<?>> batch = attempt.batch;
		batch.removeIf(this::refuseLate);
		if (batch.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		return guarded(batch, () -> {
			if (seen.isPresent()) {
				return attempt.rely(seen.get());
			}
			return (attempt.tries == 0) ? attempt.withoutReading() : attempt.look();
		});
	}

	private boolean refuseLate(LaneJob<?> job) {
		boolean late = job.isLate(this.context.nanoTime());
		if (late) {
			job.fail(new TransientStoreException(this.key,
					"The record of lock '" + KeyText.of(this.key) + "' changed too often, is kept by a "
							+ "transaction that has not ended, or the store was too slow",
					null));
		}
		return late;
	}

	/** Whatever fails is the answer to all commands of the batch. */
	private CompletionStage<Void> guarded(List<LaneJob<?>> batch, StageSource source) {
		CompletionStage<Void> stage;
		try {
			stage = source.get();
		}
		catch (RuntimeException ex) {
			stage = CompletableFuture.failedFuture(ex);
		}
		// mutant: lane-error
		catch (Error ex) {
			// Nobody else would run the lane again. The write may be under way.
			// mutant: error-uncertain
			this.uncertain = true;
			stage = CompletableFuture.failedFuture(ex);
		}
		return stage.exceptionally((failure) -> {
			this.known = Optional.empty();
			Throwable cause = FutureFailures.unwrap(failure);
			batch.forEach((job) -> job.fail(cause));
			return null;
		});
	}

	/** Writes a change of a batch by itself, if need be on a thread that waits for it. */
	private Function<Change, CompletionStage<Written>> alone(List<LaneJob<?>> batch, long begun) {
		return (change) -> this.context.records().write(change, callerOf(batch, begun));
	}

	/**
	 * At most one of them is the present thread. Of a lock that others wait for none:
	 * with many threads ready to run, a thread of the application that executes
	 * statements holds up the hand-over. Nor after an answer that came late: the next one
	 * may take as long, and the thread waits for one command timeout at most.
	 */
	private CallingThread callerOf(List<LaneJob<?>> batch, long begun) {
		// mutant: late-caller
		boolean late = this.context.nanoTime() - begun > this.context.promptNanos();
		if (this.awaited || late) {
			return CallingThread.NONE;
		}
		return new WaitingThreads(batch.stream().map(LaneJob::caller).toList());
	}

	private interface StageSource {

		CompletionStage<Void> get();

	}

	/** One computation of a batch, and one write if it changes anything. */
	private final class Attempt {

		private final List<LaneJob<?>> batch;

		/** When the first attempt began. */
		private final long begun;

		private final int tries;

		private final Function<Change, CompletionStage<Written>> writer;

		private Attempt(List<LaneJob<?>> batch, long begun, int tries,
				Function<Change, CompletionStage<Written>> writer) {
			this.batch = batch;
			this.begun = begun;
			this.tries = tries;
			this.writer = writer;
		}

		/** A repetition has its own way: it need not wait for others again. */
		private Attempt next() {
			return new Attempt(this.batch, this.begun, this.tries + 1, alone(this.batch, this.begun));
		}

		/** Spares the read if what is there is most likely known. */
		CompletionStage<Void> withoutReading() {
			Optional<Moment> now = Lane.this.context.records().estimate();
			if (now.isPresent() && !Lane.this.uncertain) {
				Optional<Seen> remembered = Lane.this.known;
				if (remembered.isPresent() && this.batch.stream().anyMatch((job) -> job.kind().isOfOwn())) {
					return compute(remembered.get(), now.get(), true);
				}
				if (remembered.isEmpty() && this.batch.stream().allMatch((job) -> job.kind() == LaneJob.Kind.TAKE)) {
					return compute(new Seen(new Expected.Free(), "", 0, now.get()), now.get(), true);
				}
			}
			return look();
		}

		CompletionStage<Void> look() {
			return Lane.this.context.records()
				.read(Lane.this.key, callerOf(this.batch, this.begun))
				.thenCompose(this::rely);
		}

		CompletionStage<Void> rely(Seen seen) {
			return compute(seen, seen.moment(), false);
		}

		private CompletionStage<Void> compute(Seen from, Moment at, boolean unread) {
			LockState state;
			try {
				state = state(from);
			}
			catch (UnreadableRecordException ex) {
				// What is remembered may have come in a message.
				// mutant: unreadable-message
				boolean remembered = unread;
				return remembered ? look() : CompletableFuture.failedFuture(unreadable(ex));
			}
			String before = LockText.write(state);
			StateMoment moment = new StateMoment(at.now(), at.stamp(), Instant.ofEpochMilli(at.now()), at.life(),
					at.gone());
			this.batch.forEach((job) -> job.apply(state, moment));
			Lane.this.awaited = state.isAwaited();
			String after = LockText.write(state);
			boolean changed = !after.equals(before);
			// mutant: memory-answers
			if (!changed && unread) {
				return look();
			}
			if (!changed && !Lane.this.uncertain) {
				won(state, from);
				return CompletableFuture.completedFuture(null);
			}
			if (from.found() instanceof Expected.Free) {
				Lane.this.takeStamp = Math.max(Lane.this.takeStamp, at.stamp());
			}
			long highest = state.highestToken();
			// A late copy of a take must lose, also of one that was refused at first.
			// mutant: take-stamp
			state.raiseToken(Lane.this.takeStamp);
			String text = (state.highestToken() == highest) ? after : LockText.write(state);
			return write(state, change(state, text, from.found(), at), from, at);
		}

		private LockState state(Seen from) {
			LockState state = LockText.read(from.text(), Lane.this.key, Lane.this.context.rules());
			state.numberTokens(from.stamp());
			Lane.this.context.guards().check(state);
			return state;
		}

		private LockStoreException unreadable(UnreadableRecordException cause) {
			return new LockStoreException(Lane.this.key, "The record of lock '" + KeyText.of(Lane.this.key) + "' in "
					+ Lane.this.context.records().describe() + " cannot be read: " + cause.getMessage(), cause);
		}

		private Change change(LockState state, String text, Expected expected, Moment at) {
			int longest = Lane.this.context.records().traits().longestText();
			if (text.length() > longest) {
				throw new LockStoreException(Lane.this.key,
						"The record of lock '" + KeyText.of(Lane.this.key) + "' has " + text.length()
								+ " characters, and " + Lane.this.context.records().describe() + " takes " + longest
								+ "; too many hold the lock or wait for it",
						null);
			}
			List<Message> messages = new ArrayList<>();
			for (StateMessage message : state.takeMessages()) {
				messages.add(new Message(message.life(), message.engine(),
						MessageText.write(Lane.this.key, message, state.highestToken())));
			}
			boolean timed = Lane.this.context.isTimed();
			long notAfter = Math.min(at.now() + Lane.this.context.guardMillis(), state.notAfter());
			return new Change(Lane.this.key, expected, text, state.isForgettable(at.now()), state.highestToken(),
					at.stamp(), timed ? at.now() : Long.MIN_VALUE, timed ? notAfter : Long.MAX_VALUE, messages,
					summary(state));
		}

		private static Summary summary(LockState state) {
			StateSummary summary = state.summary();
			return new Summary(printable(summary.holder()), summary.waiting(), summary.until());
		}

		private static String printable(String text) {
			int length = Math.min(LONGEST_SUMMARY, text.length());
			StringBuilder printable = new StringBuilder(length);
			for (int i = 0; i < length; i++) {
				char c = text.charAt(i);
				printable.append((c < ' ' || c > '~') ? '?' : c);
			}
			return printable.toString();
		}

		private CompletionStage<Void> write(LockState state, Change change, Seen from, Moment at) {
			long computedAt = Lane.this.context.nanoTime();
			return this.writer.apply(change).handle((written, failure) -> {
				if (failure != null) {
					// mutant: uncertain
					Lane.this.uncertain = true;
					return CompletableFuture.<Void>failedFuture(failure);
				}
				if (written instanceof Written.Done done) {
					Lane.this.uncertain = false;
					// mutant: token-before-write
					state.numberTokens(done.stamp());
					won(state, new Seen(new Expected.At(done.version()), change.text(), done.stamp(), at));
					return CompletableFuture.<Void>completedFuture(null);
				}
				if (goesTogetherAgain(computedAt)) {
					Lane.this.known = Optional.of(from);
					Lane.this.postponed = this.batch;
					return CompletableFuture.<Void>completedFuture(null);
				}
				return again(((Written.Lost) written).now());
			}).thenCompose((next) -> next);
		}

		private void won(LockState state, Seen left) {
			// The next one who takes the lock may overwrite what the record remembers.
			state.endedOf(Lane.this.context.engine())
				.forEach((request, result) -> Lane.this.context.ended().put(Lane.this.key, request, result));
			Lane.this.known = state.concerns(Lane.this.context.engine()) ? Optional.of(left) : Optional.empty();
			this.batch.forEach(LaneJob::complete);
		}

		/**
		 * Whether a change was most likely refused only because many arrived too late
		 * together. By themselves they would be later still, all of them.
		 */
		private boolean goesTogetherAgain(long computedAt) {
			// mutant: late-together
			boolean late = Lane.this.context.isTimed() && Lane.this.context.nanoTime()
					- computedAt > TimeUnit.MILLISECONDS.toNanos(Lane.this.context.guardMillis());
			// mutant: late-patience
			return late && this.batch.stream().allMatch(LaneJob::isPatient);
		}

		private CompletionStage<Void> again(Optional<Seen> now) {
			Lane.this.known = Optional.empty();
			if (this.tries < TRIES_AT_ONCE) {
				return attempt(next(), now);
			}
			CompletableFuture<Void> later = new CompletableFuture<>();
			Lane.this.context.scheduler()
				.schedule(pause(), () -> attempt(next(), Optional.empty())
					.whenComplete((nothing, failure) -> later.complete(null)));
			return later;
		}

		/** Between 0.2 and 10 ms, so that those who race for a lock spread. */
		private Duration pause() {
			long longest = 300L << Math.min(this.tries, 5);
			return Duration.ofNanos(1000 * (200 + (long) (longest * Lane.this.context.random().getAsDouble())));
		}

	}

}
