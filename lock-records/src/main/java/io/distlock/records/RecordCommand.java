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

	/** What is likely to be found, so that a read can be spared. */
	enum Kind {

		/** Most likely the lock is free. */
		TAKE,

		/** Most likely the lock is as this process has left it. */
		CHANGE,

		/** The same, and the hold ends with it. */
		RELEASE,

		/** Nothing is to be changed. */
		LOOK;

		/** Whether the remembered record is probably current. */
		boolean isOfOwn() {
			return this == CHANGE || this == RELEASE;
		}

	}

	Kind kind() {
		return this.kind;
	}

	/** The thread that waits for the answer. */
	CallingThread caller() {
		return this.caller;
	}

	CompletableFuture<T> answer() {
		return this.answer;
	}

	boolean isLate(long nanoTime) {
		return nanoTime - this.deadline > 0;
	}

	void apply(LockState state, StoreTime time) {
		this.result = this.action.apply(state, time);
	}

	/** The last execution counts. */
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
