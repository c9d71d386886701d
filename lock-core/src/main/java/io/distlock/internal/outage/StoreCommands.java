package io.distlock.internal.outage;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.observe.Observers;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.CallingThread;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.FutureFailures;
import org.jspecify.annotations.Nullable;

/**
 * Sends commands to the store. A store may break its contract and throw or return
 * {@code null}. That must not stop the engine.
 */
public final class StoreCommands {

	private final LockStore store;

	private final LockClock clock;

	private final Observers observers;

	private final StoreOutage outage;

	private final SharedRetries retries;

	/** When to end requests again that a store which answers has refused to end. */
	private final SharedRetries refusedEnds;

	/** Creates the sender of the commands of all keys. */
	public StoreCommands(LockStore store, LockClock clock, Observers observers, SharedRetries retries,
			SharedRetries refusedEnds) {
		this.refusedEnds = refusedEnds;
		this.retries = retries;
		this.store = store;
		this.clock = clock;
		this.observers = observers;
		this.outage = new StoreOutage(clock);
	}

	/** Sends a request. If the store throws, the stage fails. */
	public CompletionStage<AcquireResult> acquire(AcquireCommand command, CallingThread caller) {
		try {
			return answer(this.store.acquire(command, caller));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Ends a request. If the store throws, the stage fails. */
	public CompletionStage<FinishResult> finish(String key, RequestId request, Duration keepFor, CallingThread caller) {
		try {
			return answer(this.store.finish(key, request, keepFor, caller));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Renews a lease. If the store throws, the stage fails. */
	public CompletionStage<RenewResult> renew(RenewCommand command) {
		try {
			return answer(this.store.renew(command));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Asks who holds a lock. If the store throws, the stage fails. */
	public CompletionStage<LockSnapshot> inspect(String key) {
		long sentAt = this.clock.nanoTime();
		CompletionStage<LockSnapshot> answer;
		try {
			answer = answer(this.store.inspect(key));
		}
		catch (Throwable ex) {
			answer = CompletableFuture.failedFuture(ex);
		}
		return answer.whenComplete((result, failure) -> reportCommand(StoreCommand.INSPECT, sentAt, failure, null));
	}

	/** Releases a lock by force. If the store throws, the stage fails. */
	public CompletionStage<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		try {
			return answer(this.store.forceRelease(command));
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/** Lists locks. If the store throws, the stage fails. */
	public CompletionStage<LockPage> list(ListCommand command) {
		try {
			return answer(this.store.list(command));
		}
		catch (IllegalArgumentException ex) {
			// The caller made a mistake: the store does not know the cursor.
			throw ex;
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	/**
	 * Notes that a command ended. The code that evaluates the answer calls this method,
	 * because a separate stage would cost each command one more object.
	 * @param command what was asked
	 * @param failure why it failed, or {@code null}
	 * @param monitor the monitor of the key, {@code null} for a command of an operator
	 */
	public void ended(StoreCommand command, @Nullable Throwable failure, @Nullable Monitor monitor) {
		if (failure == null) {
			this.retries.answered();
			if (command == StoreCommand.RELEASE) {
				this.refusedEnds.answered();
			}
			this.outage.answered(command, monitor);
			return;
		}
		Throwable cause = FutureFailures.unwrap(failure);
		if (StoreOutage.isInterrupt(cause)) {
			// The interrupt says nothing about the store: it has neither answered nor
			// failed.
			return;
		}
		if (cause instanceof TransientStoreException) {
			this.retries.failed(this.clock.nanoTime());
		}
		else {
			this.retries.answered();
			if (command == StoreCommand.RELEASE) {
				this.refusedEnds.failed(this.clock.nanoTime());
			}
		}
		this.outage.failed(command, cause, monitor);
	}

	/** Returns the log of outages. */
	public StoreOutage outage() {
		return this.outage;
	}

	/**
	 * Asks whether to end a request again, of which no caller knows. A store with a full
	 * disk refuses thousands of them, and one shows whether it still does.
	 * @param now the monotonic clock
	 * @return {@code now}, or a later moment to ask again
	 */
	public long claimEnd(long now) {
		// The attempt that is shared with all other commands is not used up in vain.
		long moment = this.refusedEnds.claim(now);
		return (moment - now > 0) ? moment : this.retries.claim(now);
	}

	/** Returns the retries, which decide when failed commands are repeated. */
	public SharedRetries retries() {
		return this.retries;
	}

	/**
	 * Notifies the observers of commands, if there are any. An immediate answer arrives
	 * under the monitor of the key, but observers must run outside the monitor.
	 * @param command what was sent
	 * @param sentAt when it was sent
	 * @param failure why it failed, or {@code null}
	 * @param monitor the monitor of the key, {@code null} for a command of an operator
	 */
	public void reportCommand(StoreCommand command, long sentAt, @Nullable Throwable failure,
			@Nullable Monitor monitor) {
		if (this.observers.ofCommands()) {
			long nanos = this.clock.nanoTime() - sentAt;
			Throwable cause = (failure != null) ? FutureFailures.unwrap(failure) : null;
			Monitor.outside(monitor, () -> this.observers.commandEnded(command, nanos, cause));
		}
	}

	private static <T> CompletionStage<T> answer(@Nullable CompletionStage<T> answer) {
		return (answer != null) ? answer
				: CompletableFuture.failedFuture(new IllegalStateException("the store returned nothing"));
	}

}
