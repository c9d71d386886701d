package io.distlock.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/** Keeps commands until a test executes them, each with its answer. */
final class QueueingStore extends DelegatingLockStore {

	private final List<Command<?>> pending = new ArrayList<>();

	private Consumer<String> beforeAcquire = (key) -> {
	};

	QueueingStore(LockStore store) {
		super(store);
	}

	/** Does something when a key is asked for. */
	void beforeAcquire(Consumer<String> action) {
		this.beforeAcquire = action;
	}

	/** What was sent and not executed. */
	synchronized List<Command<?>> pending() {
		return List.copyOf(this.pending);
	}

	void execute(Command<?> command) {
		take(command);
		command.execute();
	}

	/** Executes what was sent until now. */
	void executeAll() {
		pending().forEach(this::execute);
	}

	void fail(Command<?> command, Throwable failure) {
		take(command);
		command.answer().completeExceptionally(failure);
	}

	private synchronized void take(Command<?> command) {
		this.pending.remove(command);
	}

	private synchronized <T> CompletionStage<T> queue(String what, String key, Supplier<CompletionStage<T>> execution) {
		CompletableFuture<T> answer = new CompletableFuture<>();
		this.pending.add(new Command<>(what, key, execution, answer));
		return answer;
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		this.beforeAcquire.accept(command.key());
		return queue("ACQUIRE", command.key(), () -> super.acquire(command, CallingThread.NONE));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		return queue("FINISH", key, () -> super.finish(key, request, keepFor, CallingThread.NONE));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return queue("RENEW", command.key(), () -> super.renew(command));
	}

	/** A command under way. */
	record Command<T>(String what, String key, Supplier<CompletionStage<T>> execution, CompletableFuture<T> answer) {

		void execute() {
			this.answer.complete(this.execution.get().toCompletableFuture().join());
		}

		@Override
		public String toString() {
			return this.what + " " + this.key;
		}

	}

}
