package io.distlock.test;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.Capability;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreListener;

/**
 * A store whose acquisitions and releases are executed by the calling thread, as far as
 * the store makes use of it: for a {@link LockStoreContract} of a {@link CallingThread}.
 */
public final class CallingStore implements LockStore {

	private final LockStore delegate;

	/**
	 * Wraps a store.
	 * @param delegate the store
	 */
	public CallingStore(LockStore delegate) {
		this.delegate = delegate;
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
	public CompletionStage<AcquireResult> acquire(AcquireCommand command) {
		return execute((caller) -> this.delegate.acquire(command, caller));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request) {
		return execute((caller) -> this.delegate.finish(key, request, caller));
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.delegate.start(instance, listener);
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return this.delegate.renew(command);
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return this.delegate.inspect(key);
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return this.delegate.forceRelease(command);
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return this.delegate.list(command);
	}

	@Override
	public Duration connecting() {
		return this.delegate.connecting();
	}

	@Override
	public Duration waiterLifetime() {
		return this.delegate.waiterLifetime();
	}

	@Override
	public Set<Capability> unsupported() {
		return this.delegate.unsupported();
	}

	@Override
	public String describe() {
		return this.delegate.describe();
	}

	@Override
	public void stop() {
		this.delegate.stop();
	}

}
