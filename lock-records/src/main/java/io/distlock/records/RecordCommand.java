package io.distlock.records;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.state.LockState;
import io.distlock.spi.CallingThread;
import org.jspecify.annotations.Nullable;

/**
 * One command for a lock, which may be executed several times until a write wins.
 *
 * @param <T> type of the answer
 */
final class RecordCommand<T> {

	private final CompletableFuture<T> answer = new CompletableFuture<>();

	private final Kind kind;

	private final long deadline;

	private final BiFunction<LockState, StoreTime, Supplier<T>> action;

	private final CallingThread caller;

	private @Nullable Supplier<T> result;

	RecordCommand(Kind kind, long deadline, BiFunction<LockState, StoreTime, Supplier<T>> action) {
		this(kind, deadline, action, CallingThread.NONE);
	}

	RecordCommand(Kind kind, long deadline, BiFunction<LockState, StoreTime, Supplier<T>> action,
			CallingThread caller) {
		this.kind = kind;
		this.deadline = deadline;
		this.action = action;
		this.caller = caller;
	}

	/** Says what the record most likely contains, so that a read can be skipped. */
	enum Kind {

		/** The lock is most likely free. */
		TAKE,

		/** The lock is most likely as this process left it. */
		CHANGE,

		/** Like {@link #CHANGE}, and the command ends the hold. */
		RELEASE,

		/** The command most likely changes nothing. */
		LOOK;

		/** Returns whether the remembered record is probably current. */
		boolean isOfOwn() {
			return this == CHANGE || this == RELEASE;
		}

	}

	Kind kind() {
		return this.kind;
	}

	/** Returns the thread that waits for the answer. */
	CallingThread caller() {
		return this.caller;
	}

	CompletableFuture<T> answer() {
		return this.answer;
	}

	/** Returns until when the command may be executed, on the monotonic clock. */
	long deadline() {
		return this.deadline;
	}

	boolean isLate(long nanoTime) {
		return nanoTime - this.deadline > 0;
	}

	void apply(LockState state, StoreTime time) {
		this.result = this.action.apply(state, time);
	}

	/** Completes the command with the answer of its last execution. */
	void complete() {
		Supplier<T> counted = this.result;
		if (counted == null) {
			throw new IllegalStateException("The command was not executed");
		}
		try {
			this.answer.complete(counted.get());
		}
		catch (RuntimeException ex) {
			this.answer.completeExceptionally(ex);
		}
	}

	void fail(Throwable failure) {
		this.answer.completeExceptionally(failure);
	}

}
