package io.distlock.records;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Message;
import io.distlock.records.place.LockRecords.Seen;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.records.state.LockState;
import io.distlock.records.state.LockText;
import io.distlock.records.state.StateMessage;
import io.distlock.records.state.UnreadableRecordException;
import io.distlock.spi.CallingThread;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Computes some commands for one lock once, and writes the record once if it has changed.
 * If the write loses, the next attempt computes and writes again.
 * <p>
 * No answer comes from memory. Each answer rests on a write that has won, or on a read
 * made for this answer.
 */
final class CompareAndSetAttempt {

	private static final int TRIES_AT_ONCE = 2;

	private final PipelineContext context;

	private final String key;

	private final LastKnownRecord memory;

	private final List<RecordCommand<?>> batch;

	/** When the first attempt began. */
	private final long begun;

	private final int tries;

	CompareAndSetAttempt(PipelineContext context, String key, LastKnownRecord memory, List<RecordCommand<?>> batch) {
		this(context, key, memory, batch, context.nanoTime(), 0);
	}

	private CompareAndSetAttempt(PipelineContext context, String key, LastKnownRecord memory,
			List<RecordCommand<?>> batch, long begun, int tries) {
		this.context = context;
		this.key = key;
		this.memory = memory;
		this.batch = batch;
		this.begun = begun;
		this.tries = tries;
	}

	private CompareAndSetAttempt next() {
		return new CompareAndSetAttempt(this.context, this.key, this.memory, this.batch, this.begun, this.tries + 1);
	}

	/**
	 * Executes the commands of this attempt.
	 * @return completes normally, once all of them have been answered
	 */
	CompletionStage<@Nullable Void> execute() {
		return execute((this.tries == 0) ? this::withoutReading : this::look);
	}

	/** Creates the exception for a command whose time is over. */
	static LockStoreException tooLate(String key) {
		return new TransientStoreException(key,
				"The record of lock '" + KeyText.of(key)
						+ "' changed too often, is kept by a transaction that has not ended, or the store was too slow",
				null);
	}

	/** Answers all commands of the batch with the failure, if there is one. */
	private CompletionStage<@Nullable Void> execute(Supplier<CompletionStage<@Nullable Void>> way) {
		CompletionStage<@Nullable Void> stage;
		try {
			this.batch.removeIf(this::refuseLate);
			stage = this.batch.isEmpty() ? answered() : way.get();
		}
		catch (Throwable ex) {
			stage = CompletableFuture.failedFuture(ex);
		}
		return stage.exceptionally((failure) -> {
			this.memory.forget();
			Throwable cause = FutureFailures.unwrap(failure);
			this.batch.forEach((command) -> command.fail(cause));
			return null;
		});
	}

	private static CompletionStage<@Nullable Void> answered() {
		return CompletableFuture.completedFuture(null);
	}

	private boolean refuseLate(RecordCommand<?> command) {
		boolean late = command.isLate(this.context.nanoTime());
		if (late) {
			command.fail(tooLate(this.key));
		}
		return late;
	}

	/** Skips the read if the record is most likely known. */
	private CompletionStage<@Nullable Void> withoutReading() {
		Optional<StoreTime> now = this.context.records().estimate();
		if (now.isPresent() && !this.memory.isUncertain()) {
			Optional<Seen> remembered = this.memory.known();
			if (remembered.isPresent() && this.batch.stream().anyMatch((command) -> command.kind().isOfOwn())) {
				return compute(remembered.get(), now.get(), true);
			}
			if (remembered.isEmpty()
					&& this.batch.stream().allMatch((command) -> command.kind() == RecordCommand.Kind.TAKE)) {
				return compute(new Seen(new Expected.Free(), "", 0, now.get()), now.get(), true);
			}
		}
		return look();
	}

	private CompletionStage<@Nullable Void> look() {
		return this.context.records().read(this.key, caller()).thenCompose(this::rely);
	}

	/**
	 * Computes the commands from what was read. A late command is refused even now,
	 * because another turn may have followed meanwhile.
	 */
	private CompletionStage<@Nullable Void> rely(Seen seen) {
		this.batch.removeIf(this::refuseLate);
		return this.batch.isEmpty() ? answered() : compute(seen, seen.time(), false);
	}

	private CompletionStage<@Nullable Void> compute(Seen from, StoreTime at, boolean unread) {
		try {
			return computed(from, at, unread);
		}
		catch (UnreadableRecordException ex) {
			return CompletableFuture.failedFuture(unreadable(ex));
		}
	}

	private CompletionStage<@Nullable Void> computed(Seen from, StoreTime at, boolean unread) {
		LockState state = state(from);
		String before = LockText.write(state);
		this.batch.forEach((command) -> command.apply(state, at));
		this.memory.setAwaited(state.isAwaited());
		String after = LockText.write(state);
		boolean changed = !after.equals(before);
		if (!changed && unread) {
			return look();
		}
		if (!changed && !this.memory.isUncertain()) {
			won(state, from);
			return answered();
		}
		if (from.found() instanceof Expected.Free) {
			this.memory.taking(at.tokenFloor());
		}
		long highest = state.highestToken();
		// A late copy of a take must lose, even if the take was refused at first.
		state.raiseToken(this.memory.takeFloor());
		String text = (state.highestToken() == highest) ? after : LockText.write(state);
		return write(state, change(state, text, from.found(), at), at);
	}

	private LockState state(Seen from) {
		LockState state = LockText.read(from.text(), this.key, this.context.rules());
		state.numberTokens(from.tokenFloor());
		return state;
	}

	private LockStoreException unreadable(UnreadableRecordException cause) {
		return new LockStoreException(this.key, "The record of lock '" + KeyText.of(this.key) + "' in "
				+ this.context.records().describe() + " cannot be read: " + cause.getMessage(), cause);
	}

	private Change change(LockState state, String text, Expected expected, StoreTime at) {
		int longest = this.context.records().traits().longestText();
		if (text.length() > longest) {
			throw new LockStoreException(this.key,
					"The record of lock '" + KeyText.of(this.key) + "' has " + text.length() + " characters, and "
							+ this.context.records().describe() + " takes " + longest
							+ "; too many hold the lock or wait for it",
					null);
		}
		List<Message> messages = new ArrayList<>();
		for (StateMessage message : state.takeMessages()) {
			messages.add(new Message(message.incarnation(), message.engine(), MessageText.write(this.key, message)));
		}
		boolean timed = this.context.isTimed();
		long notAfter = Math.min(at.now() + this.context.graceMillis(), state.notAfter());
		return new Change(this.key, expected, text, state.isForgettable(at.now()), state.highestToken(),
				at.tokenFloor(), timed ? at.now() : Long.MIN_VALUE, timed ? notAfter : Long.MAX_VALUE, messages,
				state.summary());
	}

	private CompletionStage<@Nullable Void> write(LockState state, Change change, StoreTime at) {
		boolean uncertain = this.memory.isUncertain();
		// Until there is an answer: whatever fails from here on, the write may be under
		// way.
		this.memory.setUncertain(true);
		return this.context.records().write(change, caller()).handle((written, failure) -> {
			if (failure != null) {
				return CompletableFuture.<@Nullable Void>failedFuture(failure);
			}
			if (written instanceof Written.Done done) {
				this.memory.setUncertain(false);
				state.numberTokens(done.tokenFloor());
				won(state, new Seen(new Expected.At(done.version()), change.text(), done.tokenFloor(), at));
				return answered();
			}
			this.memory.setUncertain(uncertain);
			return again(((Written.Lost) written).now());
		}).thenCompose((next) -> next);
	}

	private void won(LockState state, Seen left) {
		// The next taker of the lock may overwrite what the record remembers.
		state.endedOf(this.context.engine())
			.forEach((request, result) -> this.context.ended().put(this.key, request, result));
		this.memory.know(state.concerns(this.context.engine()) ? Optional.of(left) : Optional.empty());
		this.batch.forEach(RecordCommand::complete);
	}

	private CompletionStage<@Nullable Void> again(Optional<Seen> now) {
		this.memory.forget();
		CompareAndSetAttempt next = next();
		if (this.tries < TRIES_AT_ONCE) {
			return now.isPresent() ? next.execute(() -> next.rely(now.get())) : next.execute();
		}
		CompletableFuture<@Nullable Void> later = new CompletableFuture<>();
		this.context.scheduler().schedule(pause(), () -> next.executeFor(later));
		return later;
	}

	private void executeFor(CompletableFuture<@Nullable Void> later) {
		try {
			execute().whenComplete((nothing, failure) -> later.complete(null));
		}
		catch (Throwable ex) {
			later.completeExceptionally(ex);
			throw ex;
		}
	}

	/** Returns between 0.2 and 10 ms, so that competing processes spread out. */
	private Duration pause() {
		long longest = 300L << Math.min(this.tries, 5);
		return Duration.ofNanos(1000 * (200 + (long) (longest * this.context.random().getAsDouble())));
	}

	/**
	 * Returns the thread that may execute the next statement itself, if it is the present
	 * thread. Returns none while other processes wait, because the thread may not get the
	 * CPU soon. Returns none after a late answer, because the next answer may take as
	 * long and the thread waits for at most one command timeout.
	 */
	private CallingThread caller() {
		boolean late = this.context.nanoTime() - this.begun > this.context.promptNanos();
		if (this.memory.isAwaited() || late) {
			return CallingThread.NONE;
		}
		return this.batch.get(0).caller();
	}

}
