package io.distlock.internal.request;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.lease.Renewals;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.ownership.LocalHolds;
import io.distlock.internal.waiting.Waiter;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Renews the lease that the store keeps for a key. This class sends the renewals that the
 * {@link StoreLease} has planned, and reads the answers. {@link LocalHolds} and
 * {@code LeaseKeeper} decide about owners and waiters. Confined to the monitor of the
 * key.
 */
public final class Renewer {

	private static final Logger logger = LoggerFactory.getLogger(Renewer.class);

	private final String key;

	private final EngineContext engine;

	private final Monitor monitor;

	private final Consumer<Answer> answers;

	/** The last lease, which may be over. */
	private @Nullable StoreLease lease;

	/**
	 * Creates a renewer without a lease.
	 * @param key the key
	 * @param engine what all keys share
	 * @param monitor the monitor of the key
	 * @param answers receives the answers under the monitor
	 */
	public Renewer(String key, EngineContext engine, Monitor monitor, Consumer<Answer> answers) {
		this.key = key;
		this.engine = engine;
		this.monitor = monitor;
		this.answers = answers;
	}

	/** Returns the lease, until this process has released or lost it. */
	public @Nullable StoreLease lease() {
		StoreLease known = this.lease;
		return (known != null && !known.isOver()) ? known : null;
	}

	/** Renews a lease from now on, until it is over. */
	public void begin(StoreLease granted) {
		this.lease = granted;
	}

	/** Notes that another process began to wait for the lock. */
	public void contended() {
		StoreLease current = lease();
		if (current != null) {
			current.handOffs().contended(this.engine.now());
		}
	}

	/**
	 * Confirms the lease now, even a fixed one, because the store may not know it any
	 * more.
	 */
	public void confirm() {
		StoreLease current = lease();
		if (current != null) {
			current.confirm();
		}
	}

	/** Confirms the rest of the lease with a renewal, because a clock jumped. */
	public void suspect() {
		StoreLease current = lease();
		if (current != null) {
			current.suspect();
		}
	}

	/** Asks the store whether it still knows the lease. */
	public void verify() {
		StoreLease current = lease();
		if (current != null) {
			send(current);
		}
	}

	/**
	 * Returns whether tokens should be reserved for the threads that wait.
	 * @param next the first waiter
	 * @param waiting how many wait, each for a token
	 */
	public boolean wantsTokens(@Nullable Waiter next, int waiting) {
		StoreLease current = lease();
		return current != null && current.wantsTokens((next != null) ? next.term() : null, waiting);
	}

	/** Returns whether a renewal must be sent now. */
	public boolean isDue() {
		StoreLease current = lease();
		return current != null && current.renewals().scheduled() && !this.engine.stopped()
				&& current.renewals().due(this.engine.now());
	}

	/** Sends the renewal that is due. */
	public void renew() {
		StoreLease current = lease();
		if (current != null) {
			current.handOffs().notConfirmed();
			checkLag(current, this.engine.now());
			send(current);
		}
	}

	/**
	 * Stops the renewals, so that the lease ends by itself. No owner wants the lease any
	 * more.
	 */
	public void stop() {
		StoreLease current = lease();
		if (current != null) {
			current.renewals().stop();
		}
	}

	/** Logs that a renewal is sent so late that locks may be lost. */
	private void checkLag(StoreLease current, long now) {
		Renewals renewals = current.renewals();
		long late = now - renewals.nextSend();
		long length = renewals.term().duration().toMillis();
		if (this.engine.renewalLag().sent(renewals.nextSend(), now, renewals.term())) {
			this.monitor.afterwards(() -> logger.warn(
					"Lock '{}': its renewal was sent {} ms late, the lease is {} ms: this process was stopped "
							+ "(garbage collection, suspended machine) or gets too little CPU, and may lose its locks",
					KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(late), length));
		}
	}

	private void send(StoreLease renewed) {
		this.engine.watch().check();
		// The order matters: time that is skipped between the two readings counts as
		// passed after the first one.
		long skippedBefore = this.engine.clock().skipped();
		long sentAt = this.engine.now();
		RenewCommand command = renewed.renewal(this.key, sentAt, this.engine.timeoutNanos());
		this.engine.commands().renew(command).whenComplete((result, failure) -> {
			this.engine.commandEnded(StoreCommand.RENEW, sentAt, failure, this.monitor);
			this.monitor.run(() -> this.answers
				.accept(new Answer(renewed, command.lease(), sentAt, skippedBefore, result, failure)));
		});
	}

	/**
	 * Reads an answer. The answer is about the lease, but the lock may have been handed
	 * off since the renewal was sent.
	 * @param answer the answer
	 * @return what the answer says about the current lease
	 */
	public Verdict read(Answer answer) {
		StoreLease current = lease();
		if (current == null || current != answer.lease()) {
			return Verdict.NOT_CURRENT;
		}
		if (answer.result() instanceof RenewResult.Renewed renewed) {
			return new Verdict.Confirmed(answer.requested(), answer.sentAt(),
					current.confirmed(answer.sentAt(), answer.skippedBefore(), renewed));
		}
		// The store may remember that it released the hold by force.
		return (answer.result() instanceof RenewResult.Gone gone)
				? new Verdict.Gone(gone.forced() ? LossReason.FORCED : LossReason.TAKEN)
				: failed(current, answer.failure());
	}

	private Verdict failed(StoreLease current, @Nullable Throwable failure) {
		boolean first = current.failed();
		LockStoreException cause = this.engine.messages().ofStore(this.key, failure);
		if (first) {
			logFailure(current.remaining(), cause);
		}
		return new Verdict.StoreFailed(cause);
	}

	/**
	 * Logs a failure. A store that does not answer is logged once, not for each lock.
	 */
	private void logFailure(long remaining, LockStoreException cause) {
		Level level = (cause instanceof TransientStoreException) ? Level.DEBUG : Level.WARN;
		if (logger.isEnabledForLevel(level)) {
			this.monitor.afterwards(() -> logger.atLevel(level)
				.log("Lock '{}': renewal failed, repeating it for the {} ms left of the lease: {}",
						KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(remaining), cause.getMessage()));
		}
	}

	/** Plans the next renewal, because the store has answered every question. */
	public void planNext() {
		StoreLease current = lease();
		if (current != null) {
			current.renewals().planNext(this.engine.now(), current.remaining());
		}
	}

	/**
	 * Returns whether the renewals ask for something that the store has not granted yet.
	 */
	public boolean isAsking() {
		StoreLease current = lease();
		return current != null && current.renewals().isAsking();
	}

	/**
	 * Continues the lease with its former term, because the store refuses the new term.
	 */
	public void refused() {
		StoreLease current = lease();
		if (current != null) {
			current.renewals().refused();
		}
	}

	/** Returns when the next renewal is due. */
	public long dueBy(long latest) {
		StoreLease current = lease();
		return (current == null || this.engine.stopped()) ? latest : current.renewals().dueBy(latest);
	}

	/**
	 * The store's answer to a renewal.
	 *
	 * @param lease the lease
	 * @param requested the term that was requested
	 * @param sentAt when it was sent
	 * @param skippedBefore the time that the clock had skipped by then
	 * @param result the answer
	 * @param failure why there is no answer
	 */
	public record Answer(StoreLease lease, Duration requested, long sentAt, long skippedBefore,
			@Nullable RenewResult result, @Nullable Throwable failure) {
	}

	/** Says what an answer means for the lease. */
	public sealed interface Verdict {

		/** Nothing, because that lease is over. */
		Verdict NOT_CURRENT = new NotCurrent();

		/** Nothing, because that lease is over. */
		record NotCurrent() implements Verdict {
		}

		/**
		 * The store has renewed the lease.
		 *
		 * @param requested the term that was requested
		 * @param sentAt when it was sent
		 * @param before until when the lease was valid before
		 */
		record Confirmed(Duration requested, long sentAt, long before) implements Verdict {
		}

		/**
		 * The store does not have the lease any more.
		 *
		 * @param why the reason
		 */
		record Gone(LossReason why) implements Verdict {
		}

		/**
		 * The renewal failed and is repeated.
		 *
		 * @param cause why
		 */
		record StoreFailed(LockStoreException cause) implements Verdict {
		}

	}

}
