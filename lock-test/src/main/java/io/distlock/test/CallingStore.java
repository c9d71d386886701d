package io.distlock.test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockStore;
import io.distlock.spi.RequestId;

/**
 * A store that lets the calling thread execute acquisitions and releases, if the wrapped
 * store offers them to it. With it, {@link LockStoreContract} tests the use of
 * {@link CallingThread}.
 */
public final class CallingStore extends DelegatingLockStore {

	/**
	 * Wraps a store.
	 * @param delegate the store
	 */
	public CallingStore(LockStore delegate) {
		super(delegate);
	}

	private static <T> T execute(Function<CallingThread, T> command) {
		Thread caller = Thread.currentThread();
		Deque<Runnable> tasks = new ArrayDeque<>();
		T answer = command.apply((task) -> Thread.currentThread() == caller && tasks.add(task));
		for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
			task.run();
		}
		return answer;
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread ignored) {
		return execute((caller) -> super.acquire(command, caller));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor,
			CallingThread ignored) {
		return execute((caller) -> super.finish(key, request, keepFor, caller));
	}

}
