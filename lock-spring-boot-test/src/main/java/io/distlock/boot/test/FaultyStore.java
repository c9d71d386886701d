package io.distlock.boot.test;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.distlock.LockStoreException;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.DelegatingLockStore;
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

/** A store that fails or hangs for the keys that running tests say. */
final class FaultyStore extends DelegatingLockStore {

	private final Function<String, @Nullable Fault> faults;

	private volatile @Nullable StoreListener listener;

	FaultyStore(LockStore delegate, Function<String, @Nullable Fault> faults) {
		super(delegate);
		this.faults = faults;
	}

	@Override
	public void start(String instance, StoreListener listener) {
		this.listener = listener;
		super.start(instance, listener);
	}

	@Override
	public void stop() {
		this.listener = null;
		super.stop();
	}

	boolean isStopped() {
		return this.listener == null;
	}

	/**
	 * Ends a minimum hold, without a log line for operators, and whatever faults other
	 * tests want.
	 * @param key the lock
	 * @param last the highest token of the test that is over; a hold with a higher one is
	 * of another test
	 */
	void endMinimumHold(String key, long last) {
		try {
			Set<RequestId> kept = answer(super.inspect(key)).holds()
				.stream()
				.filter((hold) -> hold.request().isKept() && hold.fencingToken() <= last)
				.map(LockSnapshot.Hold::request)
				.collect(Collectors.toSet());
			if (!kept.isEmpty()) {
				answer(super.forceRelease(new ForceReleaseCommand(key, kept)));
			}
		}
		catch (CompletionException ex) {
			// The test may have stopped the server. A minimum hold ends by itself.
		}
	}

	private static <T> T answer(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(1, TimeUnit.SECONDS).join();
	}

	/** Tells the engine what some stores would tell it later. */
	void tell(Consumer<StoreListener> news) {
		StoreListener engine = this.listener;
		if (engine != null) {
			news.accept(engine);
		}
	}

	@Override
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		return send(command.key(), () -> super.acquire(command, caller));
	}

	@Override
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		return send(key, () -> super.finish(key, request, keepFor, caller));
	}

	@Override
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		return send(command.key(), () -> super.renew(command));
	}

	@Override
	public CompletionStage<LockSnapshot> inspect(String key) {
		return send(key, () -> super.inspect(key));
	}

	@Override
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return send(command.key(), () -> super.forceRelease(command));
	}

	@Override
	public CompletionStage<LockPage> list(ListCommand command) {
		return send("", () -> super.list(command));
	}

	private <T> CompletionStage<T> send(String key, Supplier<CompletionStage<T>> command) {
		Fault fault = this.faults.apply(key);
		if (fault == null) {
			return command.get();
		}
		return fault.hangs() ? new CompletableFuture<>()
				: CompletableFuture.failedFuture(new LockStoreException("", "a test lets the store fail", null));
	}

	/**
	 * What is wrong with the store.
	 *
	 * @param hangs whether commands are never answered, instead of refused at once
	 * @param keys whose commands, of all keys if empty
	 */
	record Fault(boolean hangs, Set<String> keys) {

		boolean concerns(String key) {
			return this.keys.isEmpty() || this.keys.contains(key);
		}

	}

}
