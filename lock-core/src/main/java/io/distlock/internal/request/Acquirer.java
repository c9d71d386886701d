package io.distlock.internal.request;

import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.internal.context.EngineContext;
import io.distlock.internal.hold.Owner;
import io.distlock.internal.lease.HandOffs;
import io.distlock.internal.lease.StoreLease;
import io.distlock.internal.monitor.Monitor;
import io.distlock.internal.time.LocalDeadline;
import io.distlock.internal.waiting.Waiter;
import io.distlock.observe.GrantKind;
import io.distlock.observe.StoreCommand;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for a key. There is at most one request at a time. It is repeated until
 * it is granted, refused or given up. Confined to the monitor of the key.
 */
public final class Acquirer {

	/**
	 * The longest time for which a pushed grant is believed before the store is asked.
	 */
	private static final long UNCONFIRMED_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

	/**
	 * The shortest rest of a pushed grant that is used at once. A grant with less time
	 * left must be confirmed by the store first.
	 */
	private static final long SHORTEST_PUSHED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	private final String key;

	private final int slot;

	private final EngineContext engine;

	private final Monitor monitor;

	private final Consumer<Verdict> answers;

	private int tokens = HandOffs.firstTokens();

	private @Nullable AcquireRequest current;

	/**
	 * Creates an acquirer without a request.
	 * @param key the key
	 * @param slot of requests
	 * @param engine what all keys share
	 * @param monitor the monitor of the key
	 * @param answers receives the meaning of each answer of the store, under the monitor
	 */
	public Acquirer(String key, int slot, EngineContext engine, Monitor monitor, Consumer<Verdict> answers) {
		this.key = key;
		this.slot = slot;
		this.engine = engine;
		this.monitor = monitor;
		this.answers = answers;
	}

	/** Returns whether there is no request. */
	public boolean isIdle() {
		return this.current == null;
	}

	/** Returns whether the current request, if any, asks for what a waiter wants. */
	public boolean isFor(@Nullable Waiter waiter) {
		return this.current == null || waiter == null || this.current.waiter().sharing().equals(waiter.sharing());
	}

	/** Returns whether the store owes an answer. */
	public boolean answerOwed() {
		return this.current != null && this.current.unanswered();
	}

	/**
	 * Returns the failure of a waiter whose time is over although the store owes an
	 * answer.
	 * @return {@code null} if the answer may still come in time
	 */
	public @Nullable LockStoreException lateness() {
		AcquireRequest request = this.current;
		return (request != null && request.isLate(this.engine.now())) ? unanswered() : null;
	}

	/** Returns the failure of waiters whose time ends before the store answers. */
	public LockStoreException unanswered() {
		AcquireRequest request = this.current;
		return this.engine.messages().unanswered(this.key, (request != null) ? request.lastFailure() : null);
	}

	/** Returns whether the answer of the store has just become late. */
	public boolean becomesLate(long now) {
		return this.current != null && this.current.becomesLate(now);
	}

	/** Returns the holder of the lock, as last reported by the store. */
	public @Nullable Holder holder() {
		return (this.current != null) ? this.current.holder() : null;
	}

	/** Sets how many tokens the next request reserves. */
	public void reserve(int tokens) {
		this.tokens = tokens;
	}

	/**
	 * Begins a request and sends it.
	 * @param waiter the waiter whose lease and caller it carries
	 * @param queue whether it stays in the store's queue
	 * @param behindReaders whether readers of this process hold the lock. The new request
	 * must not end theirs
	 * @param finisher is notified of the request that is sent
	 */
	public void begin(Waiter waiter, boolean queue, boolean behindReaders, Finisher finisher) {
		RequestId id = this.engine.nextRequest(behindReaders ? RequestId.WRITER : this.slot);
		finisher.supersede(id);
		AcquireRequest request = new AcquireRequest(id, waiter, queue, this.tokens, this.engine.backoff());
		this.current = request;
		ask(request);
	}

	private void ask(AcquireRequest request) {
		this.engine.watch().check();
		long skipped = this.engine.clock().skipped();
		long sentAt = this.engine.now();
		request.sent(sentAt, skipped, this.engine.timeoutNanos());
		this.engine.commands()
			.acquire(command(request), request.waiter().callingThread())
			.whenComplete((result, failure) -> {
				this.engine.commandEnded(StoreCommand.ACQUIRE, sentAt, failure, this.monitor);
				this.monitor.enter();
				try {
					this.answers.accept(read(request, sentAt, result, failure));
				}
				finally {
					this.monitor.leave();
				}
			});
	}

	/**
	 * Creates the command of a request. The start of the hold stays open, because the
	 * store sets it.
	 */
	private AcquireCommand command(AcquireRequest request) {
		Owner owner = request.waiter().owner();
		return new AcquireCommand(this.key, request.id(), owner.term().duration(), owner.sharing(), request.queue(),
				request.tokens(), this.engine.settings().commandTimeout(), this.engine.describe(owner, Instant.EPOCH));
	}

	/**
	 * Sends the request again, replaces it, or gives it up.
	 * @param now the monotonic clock
	 * @param finisher ends a request that is replaced
	 */
	public Verdict tick(long now, Finisher finisher) {
		AcquireRequest request = this.current;
		if (request != null && request.givenUp(now)) {
			return new Verdict.StoreFailed(this.engine.messages().unanswered(this.key, request.lastFailure()));
		}
		if (request != null && request.hangs(now)) {
			askAnew(request, finisher);
		}
		else if (request != null && request.sendDue(now)) {
			long moment = request.unanswered() ? this.engine.commands().retries().claim(now) : now;
			if (moment - now > 0) {
				request.holdBack(moment);
			}
			else {
				ask(request);
			}
		}
		return Verdict.OPEN;
	}

	/**
	 * Replaces a request whose last command counts as lost. That command may still be
	 * under way, so it is not sent again.
	 */
	private void askAnew(AcquireRequest hung, Finisher finisher) {
		LockStoreException late = unanswered();
		this.engine.commands().ended(StoreCommand.ACQUIRE, late, this.monitor);
		AcquireRequest next = hung.again(this.engine.nextRequest(hung.id().slot()), late);
		this.current = next;
		finisher.begin(hung.id(), hung.waiter().term());
		finisher.supersede(next.id());
		ask(next);
	}

	/** Removes and returns the current request. The caller then ends it in the store. */
	public @Nullable AcquireRequest takeCurrent() {
		AcquireRequest taken = this.current;
		this.current = null;
		return taken;
	}

	/**
	 * Notes that another process waits. This message may arrive before the answer that
	 * grants the current request.
	 */
	public void contended() {
		if (this.current != null) {
			this.current.markContended();
		}
	}

	/**
	 * Notes that the hold was released by force. This message may arrive before the
	 * answer that grants the current request.
	 */
	public void revoked() {
		if (this.current != null) {
			this.current.markRevoked();
		}
	}

	/** Makes the next repetition due at once. */
	public void hurry() {
		if (this.current != null) {
			this.current.hurry(this.engine.now());
		}
	}

	/** Makes a held back repetition due, because the store answers again. */
	public void resume() {
		if (this.current != null) {
			this.current.resume(this.engine.now());
		}
	}

	/** Returns when the request is due, but no later than the given moment. */
	public long dueBy(long latest) {
		return (this.current != null) ? LocalDeadline.earlier(latest, this.current.due()) : latest;
	}

	/**
	 * Returns whether a pushed grant is for the current request.
	 * @param request the request that was granted
	 */
	public boolean isCurrent(RequestId request) {
		return this.current != null && this.current.id().equals(request);
	}

	/**
	 * Reads an unasked message of the store that the current request was granted. If too
	 * little of the grant is left, the answer to a repetition decides.
	 * @param grant the hold
	 */
	public Verdict pushed(Grant grant) {
		AcquireRequest request = this.current;
		if (request == null) {
			return Verdict.OPEN;
		}
		// The machine may have been suspended since the message was sent.
		this.engine.watch().check();
		long now = this.engine.now();
		long deadline = request.validUntil(grant, now);
		if (deadline - now < SHORTEST_PUSHED_NANOS) {
			request.hurry(now);
			return Verdict.OPEN;
		}
		this.current = null;
		// Where this process had to wait, other processes probably wait too. The
		// confirmation shows whether they do.
		return new Verdict.Won(request, grant, deadline, true, false);
	}

	private Verdict read(AcquireRequest asked, long sentAt, @Nullable AcquireResult result,
			@Nullable Throwable failure) {
		if (asked != this.current) {
			// This process has ended the request meanwhile. The command that ends it
			// follows this one.
			return Verdict.OPEN;
		}
		if (result instanceof AcquireResult.Granted granted) {
			this.engine.watch().check();
			Grant grant = granted.grant();
			long deadline = LocalDeadline.after(sentAt, asked.certainMillis(grant));
			// Cleared only now: after an error above the answer still counts as owed.
			this.current = null;
			return new Verdict.Won(asked, grant, deadline, granted.waiters() > 0 || asked.contended(), true);
		}
		if (result instanceof AcquireResult.Queued queued) {
			asked.queued(queued, sentAt, this.engine.now());
			return new Verdict.NotGranted(queued.holder());
		}
		if (result instanceof AcquireResult.Busy busy) {
			this.current = null;
			return new Verdict.NotGranted(busy.holder());
		}
		if (result instanceof AcquireResult.Ended) {
			this.current = null;
			return new Verdict.Ended();
		}
		return failed(asked, this.engine.messages().ofStore(this.key, failure));
	}

	private Verdict failed(AcquireRequest asked, LockStoreException cause) {
		long now = this.engine.now();
		if (cause instanceof TransientStoreException && !asked.givenUp(now)) {
			asked.failed(now, cause);
			return Verdict.OPEN;
		}
		return new Verdict.StoreFailed(cause);
	}

	/** The state of a request after an answer. */
	public sealed interface Verdict {

		/** The request is still undecided. */
		Verdict OPEN = new Open();

		/** The request is still undecided, or it is not the current request any more. */
		record Open() implements Verdict {
		}

		/**
		 * The request holds the lock and is not the current request any more.
		 *
		 * @param request the request
		 * @param grant the hold
		 * @param deadline until when it is valid
		 * @param contended whether other processes are known to wait
		 * @param confirmed whether the store knows that this process has received the
		 * grant
		 */
		record Won(AcquireRequest request, Grant grant, long deadline, boolean contended,
				boolean confirmed) implements Verdict {

			/** Returns how the lock came to this process. */
			public GrantKind kind() {
				if (!this.confirmed) {
					return GrantKind.PUSH;
				}
				return this.request.wasQueued() ? GrantKind.POLL : GrantKind.FREE;
			}

			/**
			 * Returns whether a waiter can use the grant.
			 * @param next the first waiter, or {@code null} if none waits any more
			 * @param now the monotonic clock
			 */
			public Fit fitFor(@Nullable Waiter next, long now) {
				if (next == null) {
					return Fit.UNWANTED;
				}
				long sure = this.grant.session().sureUntil() + this.request.skippedBefore();
				if (LocalDeadline.earlier(this.deadline, sure) - now <= 0) {
					return Fit.EXPIRED;
				}
				Waiter asked = this.request.waiter();
				if (!next.sharing().equals(asked.sharing())) {
					return Fit.UNWANTED;
				}
				boolean longer = this.confirmed && next.term().nanos() < asked.term().nanos();
				return longer ? Fit.TOO_LONG : Fit.USABLE;
			}

			/**
			 * Creates the lease that begins.
			 * @param next the waiter that gets it
			 * @param engine what all keys share
			 * @return the lease, whose renewal is planned
			 */
			public StoreLease lease(Waiter next, EngineContext engine) {
				long now = engine.now();
				boolean sameTerm = next.term().duration().equals(this.request.waiter().term().duration());
				// The grant may last longer than the waiter wants: a claim may be longer,
				// and so may the term of a waiter that has gone.
				long until = LocalDeadline.earlier(this.deadline,
						LocalDeadline.after(now, next.term().duration().toMillis()));
				StoreLease lease = new StoreLease(this.request.id(), this.grant, next.term(), now, until,
						this.request.skippedBefore(), engine.clock(), engine.backoff());
				if (!this.confirmed) {
					lease.handedOver();
				}
				if (this.contended) {
					lease.handOffs().contended(now);
				}
				if (!sameTerm || !(this.confirmed || next.term().renewed())) {
					// The renewal is due now, but the housekeeper sends it, so it does
					// not
					// delay the waiter.
					lease.renewals().hurry(now);
				}
				else if (!this.confirmed) {
					// The renewal is not due at once: most holds end before it and save
					// the
					// command. It is due soon: until then this process relies on a
					// message
					// that an attacker may have changed.
					lease.renewals().within(now, Math.min((this.deadline - now) / 10, UNCONFIRMED_NANOS));
				}
				return lease;
			}

		}

		/** Whether a waiter can use a grant. */
		enum Fit {

			/** The waiter begins its hold. */
			USABLE,
			/** No waiter wants this kind of hold any more. */
			UNWANTED,
			/** The grant was over when it arrived, or its session may be over. */
			EXPIRED,
			/**
			 * The waiter cannot use the grant. The grant was requested with a longer
			 * lease for a waiter that has gone, and the store would not shorten that
			 * lease.
			 */
			TOO_LONG

		}

		/**
		 * Another process holds the lock. The request is over unless it is queued in the
		 * store.
		 *
		 * @param holder the holder, if known
		 */
		record NotGranted(@Nullable Holder holder) implements Verdict {
		}

		/** The request had ended in the store. */
		record Ended() implements Verdict {
		}

		/**
		 * The request is given up, and its outcome is not known.
		 *
		 * @param cause why
		 */
		record StoreFailed(LockStoreException cause) implements Verdict {
		}

	}

}
