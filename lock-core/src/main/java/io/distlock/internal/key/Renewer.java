package io.distlock.internal.key;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.LockStoreException;
import io.distlock.LossReason;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.time.StoreClock;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.ReleaseOrder;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease that the store keeps for a key: sends what the {@link StoreLease} has
 * planned, and reads the answers. What an answer means for owners and waiters is up to
 * others. Confined to the monitor of the key.
 */
final class Renewer {

	private static final Logger logger = LoggerFactory.getLogger(Renewer.class);

	private final String key;

	private final EngineContext engine;

	private final StoreClock storeClock;

	private final Monitor monitor;

	private final Consumer<Answer> answers;

	/** The last lease, which may be over. */
	private @Nullable StoreLease lease;

	/**
	 * Creates a renewer without a lease.
	 * @param key the key
	 * @param engine what all keys share
	 * @param storeClock the store's clock in answers about the key
	 * @param monitor the monitor of the key
	 * @param answers receives the answers under the monitor, to be read by
	 * {@link #read(Answer)} once expired holds are lost
	 */
	Renewer(String key, EngineContext engine, StoreClock storeClock, Monitor monitor, Consumer<Answer> answers) {
		this.key = key;
		this.engine = engine;
		this.storeClock = storeClock;
		this.monitor = monitor;
		this.answers = answers;
	}

	/** The lease, until this process has released or lost it. */
	@Nullable StoreLease lease() {
		StoreLease known = this.lease;
		return (known != null && !known.isOver()) ? known : null;
	}

	/** Renews a lease from now on, until that one is over. */
	void begin(StoreLease granted) {
		this.lease = granted;
	}

	/** Another process began to wait for the lock. */
	void contended() {
		StoreLease current = lease();
		if (current != null) {
			current.handOffs().contended(this.engine.now());
		}
	}

	/**
	 * The store may not know the lease any more: it is confirmed now, also a fixed one.
	 */
	void confirm() {
		StoreLease current = lease();
		if (current != null && !current.isEnding()) {
			current.confirm(current.remaining(), this.engine.now());
		}
	}

	/** What is left of the lease is not certain until it is renewed. */
	void suspect() {
		StoreLease current = lease();
		if (current != null && current.term().renewed() && current.scheduled()) {
			current.hurry(this.engine.now());
		}
	}

	/** Asks the store whether it still knows the lease. */
	void verify() {
		StoreLease current = lease();
		if (current != null) {
			send(current);
		}
	}

	/** Sends the renewal that somebody here waits for, if there is one. */
	void sendUrgent() {
		StoreLease current = lease();
		if (current != null && current.isUrgent()) {
			send(current);
		}
	}

	/**
	 * Returns whether tokens should be reserved for the threads that wait, but only where
	 * a renewal would be sent anyway, because it extends the lease too.
	 * @param next the first waiter
	 * @param waiting how many wait, each for a token
	 */
	boolean wantsTokens(@Nullable Waiter next, int waiting) {
		StoreLease current = lease();
		if (current == null || current.isShared()) {
			return false;
		}
		boolean handsOff = next != null && next.term().equals(current.term());
		current.handOffs().waiting(handsOff ? waiting : 0);
		return current.term().renewed() && current.scheduled() && current.wantsTokens();
	}

	boolean isDue(long now) {
		StoreLease current = lease();
		return current != null && current.due(now) && !this.engine.stopped();
	}

	/** Sends the renewal that is due. */
	void renew(long now) {
		StoreLease current = lease();
		if (current != null) {
			current.handOffs().notConfirmed();
			if (!current.isEnding()) {
				checkLag(current, now);
			}
			send(current);
		}
	}

	/** Nobody wants the lease any more: it ends by itself. */
	void stop() {
		StoreLease current = lease();
		if (current != null) {
			current.stop();
		}
	}

	/** Logs that a renewal is sent so late that locks may be lost. */
	private void checkLag(StoreLease current, long now) {
		long late = now - current.nextSend();
		long length = current.term().duration().toMillis();
		if (this.engine.renewalLag().sent(current.nextSend(), now, current.term())) {
			this.monitor.afterwards(() -> logger.warn(
					"Lock '{}': its renewal was sent {} ms late, the lease is {} ms: this process was stopped "
							+ "(garbage collection, suspended machine) or gets too little CPU, and may lose its locks",
					KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(late), length));
		}
	}

	/**
	 * Sends a renewal. The store counts the term from when it arrives, even if the term
	 * is shorter than what is left.
	 */
	private void send(StoreLease renewed) {
		this.engine.watch().check();
		long sentAt = this.engine.now();
		LeaseTerm term = renewed.term();
		renewed.endNoLaterThan(LocalDeadline.after(sentAt, term.duration().toMillis()));
		renewed.requested(term);
		renewed.sent(sentAt, this.engine.timeoutNanos(), renewed.deadline() - sentAt);
		this.engine.commands()
			.renew(new RenewCommand(this.key, renewed.request(), term.duration(), renewed.reserveTokens(),
					renewed.isEnding(), renewed.isShared()))
			.whenComplete((result, failure) -> {
				this.engine.commandEnded(StoreCommand.RENEW, sentAt, failure, this.monitor);
				this.monitor.run(() -> arrived(new Answer(renewed, term, sentAt, result, failure)));
			});
	}

	private void arrived(Answer answer) {
		if (answer.result() instanceof RenewResult.Renewed renewed) {
			this.storeClock.observe(answer.sentAt(), renewed.grant().storeTime());
		}
		else if (answer.result() instanceof RenewResult.Gone gone) {
			gone.storeTime().ifPresent((storeMillis) -> this.storeClock.observe(answer.sentAt(), storeMillis));
		}
		this.answers.accept(answer);
	}

	/**
	 * Reads an answer. It is about the lease; the lock may have been handed off since.
	 * @param answer the answer
	 * @return what it says about the current lease
	 */
	Change read(Answer answer) {
		StoreLease current = lease();
		if (current == null || current != answer.lease()) {
			return Change.NONE;
		}
		if (answer.result() instanceof RenewResult.Renewed renewed) {
			return confirmed(current, answer, renewed);
		}
		return (answer.result() instanceof RenewResult.Gone gone) ? gone(current, gone.order())
				: failed(current, answer.failure());
	}

	private Change confirmed(StoreLease current, Answer answer, RenewResult.Renewed renewed) {
		long before = current.deadline();
		long certain = current.certainMillis(answer.term(), renewed.grant().remainingMillis());
		current.validUntil(LocalDeadline.after(answer.sentAt(), certain));
		current.handOffs().confirmed(renewed.grant(), renewed.waiters(), answer.sentAt(), this.engine.now());
		if (current.isShared() && renewed.waiters() == 0) {
			current.handOffs().uncontended(answer.sentAt());
		}
		return new Change.Confirmed(answer.term(), answer.sentAt(), before);
	}

	/** The store does not know the hold any more, and perhaps who ended it. */
	private Change gone(StoreLease current, @Nullable ReleaseOrder order) {
		boolean early = this.engine.watch().storeJumpedSince(current.confirmedAt());
		LossReason why = early ? LossReason.CLOCK_JUMP : LossReason.TAKEN;
		// mutant: force-reason
		LossReason known = (order != null) ? LossReason.FORCED : why;
		return new Change.Gone(known, (order != null) ? order.describe() : "");
	}

	private Change failed(StoreLease current, @Nullable Throwable failure) {
		current.handOffs().notConfirmed();
		boolean first = current.failed(this.engine.now());
		LockStoreException cause = this.engine.messages().ofStore(this.key, failure);
		// A minimum hold at worst ends early, and that is logged then.
		if (first && !current.isEnding()) {
			logFailure(current.remaining(), cause);
		}
		return new Change.Failed(cause);
	}

	/**
	 * Logs a failure. That the store does not answer is logged once, not for each lock.
	 */
	private void logFailure(long remaining, LockStoreException cause) {
		String message = "Lock '{}': renewal failed, repeating it for the {} ms left of the lease: {}";
		Object[] values = { KeyText.of(this.key), TimeUnit.NANOSECONDS.toMillis(remaining), cause.getMessage() };
		if (cause instanceof TransientStoreException) {
			logger.debug(message, values);
		}
		else {
			logger.warn(message, values);
		}
	}

	/**
	 * All that was asked of the store is answered: plans the next renewal. The term of a
	 * minimum hold may not be the one that was confirmed.
	 * @param confirmed the term that was confirmed
	 */
	void planNext(LeaseTerm confirmed) {
		StoreLease current = lease();
		if (current != null && (!current.isEnding() || confirmed.equals(current.term()))) {
			current.planNext(this.engine.now(), current.remaining());
		}
	}

	/** Whether the store is asked for another term than it has granted. */
	boolean isLengthening() {
		StoreLease current = lease();
		return current != null && !current.isEnding() && current.isLengthening();
	}

	/** The store refuses the term: the lease goes on as before. */
	void refused() {
		StoreLease current = lease();
		if (current != null) {
			current.refused();
		}
	}

	/** When the next renewal is due. */
	long dueBy(long latest) {
		StoreLease current = lease();
		return (current == null || this.engine.stopped()) ? latest : current.dueBy(latest);
	}

	/**
	 * The store's answer to a renewal.
	 *
	 * @param lease the lease
	 * @param term what was requested
	 * @param sentAt when it was sent
	 * @param result the answer
	 * @param failure why there is none
	 */
	record Answer(StoreLease lease, LeaseTerm term, long sentAt, @Nullable RenewResult result,
			@Nullable Throwable failure) {
	}

	/** What an answer says about the lease. */
	sealed interface Change {

		/** Nothing: that lease is over. */
		Change NONE = new None();

		/** Nothing: that lease is over. */
		record None() implements Change {
		}

		/**
		 * The store has renewed the lease.
		 *
		 * @param term what was requested
		 * @param sentAt when it was sent
		 * @param before until when the lease was valid before
		 */
		record Confirmed(LeaseTerm term, long sentAt, long before) implements Change {
		}

		/**
		 * The store does not have the lease any more.
		 *
		 * @param why the reason
		 * @param detail more about the reason, possibly empty
		 */
		record Gone(LossReason why, String detail) implements Change {
		}

		/**
		 * The renewal failed, and is repeated.
		 *
		 * @param cause why
		 */
		record Failed(LockStoreException cause) implements Change {
		}

	}

}
