package io.distlock.internal.request;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.distlock.Holder;
import io.distlock.LockInterruptedException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.outage.StoreCommands;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.CallingThread;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.support.ForeignText;
import io.distlock.support.StackReserve;

/**
 * The commands of operators. The calling thread waits for each answer, at most for the
 * command timeout. An interrupt ends the wait with a {@link LockInterruptedException},
 * and the interrupt flag stays set.
 */
public final class OperatorCommands {

	private final EngineContext engine;

	/**
	 * Creates the commands of an engine.
	 * @param engine what all keys share
	 */
	public OperatorCommands(EngineContext engine) {
		this.engine = engine;
	}

	/**
	 * Reads a lock.
	 * @param key the lock
	 * @return its state
	 */
	public LockSnapshot inspect(String key) {
		return await(key, commands().inspect(key));
	}

	/**
	 * Acquires a lock and releases it at once, with two commands. There is no waiter, so
	 * observers see neither a wait nor a hold.
	 * @param key the lock
	 */
	public void probe(String key) {
		RequestId request = this.engine.nextRequest(0);
		Duration timeout = this.engine.settings().commandTimeout();
		Holder holder = this.engine.describe(ForeignText.nameOf(Thread.currentThread()), "probe", Instant.EPOCH, "");
		AcquireCommand acquire = new AcquireCommand(key, request, timeout.multipliedBy(3), Sharing.EXCLUSIVE, false, 1,
				timeout, holder);
		awaitReported(key, StoreCommand.ACQUIRE, this.engine.now(), commands().acquire(acquire, CallingThread.NONE));
		awaitReported(key, StoreCommand.RELEASE, this.engine.now(),
				commands().finish(key, request, Duration.ZERO, CallingThread.NONE));
	}

	/**
	 * Ends holds by force.
	 * @param command which holds
	 * @return the requests whose holds were ended by force
	 */
	public Set<RequestId> forceRelease(ForceReleaseCommand command) {
		return await(command.key(), commands().forceRelease(command));
	}

	/**
	 * Finds locks.
	 * @param command which locks
	 * @return some of them
	 */
	public LockPage list(ListCommand command) {
		return await(command.prefix() + "*", commands().list(command));
	}

	/** Returns the commands, for a caller who must have stack left. */
	private StoreCommands commands() {
		StackReserve.require();
		return this.engine.commands();
	}

	private void awaitReported(String key, StoreCommand command, long sentAt, CompletionStage<?> answer) {
		await(key, answer.whenComplete((result, failure) -> this.engine.commandEnded(command, sentAt, failure, null)));
	}

	private <T> T await(String key, CompletionStage<T> answer) {
		try {
			return answer.toCompletableFuture().get(this.engine.timeoutNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LockInterruptedException(key, ex);
		}
		catch (TimeoutException ex) {
			throw this.engine.messages().unanswered(key, null);
		}
		catch (ExecutionException ex) {
			throw this.engine.messages().ofStore(key, ex);
		}
	}

}
