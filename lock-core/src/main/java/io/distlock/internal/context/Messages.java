package io.distlock.internal.context;

import java.time.Duration;
import java.util.function.Supplier;

import io.distlock.Holder;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.internal.hold.AcquireOptions;
import io.distlock.internal.hold.Hold;
import io.distlock.internal.hold.Outcome;
import io.distlock.internal.time.LeaseTerm;
import io.distlock.spi.LockClock;
import io.distlock.spi.TransientRefusalException;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.FutureFailures;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/** Creates the exceptions for callers that do not get a lock or an extension. */
public final class Messages {

	private final LockSettings settings;

	private final LockClock clock;

	private final Supplier<String> store;

	Messages(LockSettings settings, LockClock clock, Supplier<String> store) {
		this.settings = settings;
		this.clock = clock;
		this.store = store;
	}

	/**
	 * Creates the exception for a request that was refused.
	 * @param request what was requested
	 * @param outcome how the waiting ended
	 * @return the exception
	 */
	public LockBusyException refusal(LockRequest request, Outcome.Refused outcome) {
		if (outcome instanceof Outcome.TooManyWaiters crowded) {
			int maxWaiters = request.maxWaiters().orElse(this.settings.maxWaiters());
			return busy(request.key(), Duration.ZERO, true,
					"not waited for, as " + ((maxWaiters == 1) ? "1 caller waits" : maxWaiters + " callers wait")
							+ " in this process already (max waiters)",
					crowded.holder());
		}
		AcquireOptions.WaitTime wait = AcquireOptions.WaitTime.of(request, this.settings);
		return busy(request.key(), wait.time(), false, "not acquired within " + DurationText.of(wait.time())
				+ ((wait.limitedBy() != null) ? ", which is " + wait.limitedBy() : ""), outcome.holder());
	}

	private LockBusyException busy(String key, Duration waited, boolean tooManyWaiters, String reason,
			@Nullable Holder holder) {
		return new LockBusyException(key, "Lock '" + KeyText.of(key) + "' is busy: " + reason + "; "
				+ ((holder != null) ? "held by " + holder.describe(this.clock.instant()) : "its holder is not known"),
				waited, holder, tooManyWaiters);
	}

	/** Creates the exception for callers that come after the shutdown has begun. */
	public LockException shuttingDown(String key) {
		return new LockException(key,
				"Lock '" + KeyText.of(key) + "' was not acquired: the lock template is shutting down", null);
	}

	/** Creates the exception for an extension of a hold that is released. */
	public IllegalStateException released(String key) {
		return new IllegalStateException("Lock '" + KeyText.of(key) + "' was not extended: it was released");
	}

	/**
	 * Creates the exception for an extension of a hold that is over.
	 * @param hold the hold
	 * @return the loss of the hold, or an exception which says that it was released
	 */
	public RuntimeException over(Hold hold) {
		return (hold.state() == Hold.State.LOST) ? hold.lostException() : released(hold.key());
	}

	/** Creates the exception for an extension that comes too late. */
	public LockException notExtended(String key) {
		return new LockException(key,
				"Lock '" + KeyText.of(key) + "' was not extended: the lock template has been shut down", null);
	}

	/** Creates the exception for a minimum hold of a lock that others hold too. */
	public IllegalStateException notKept(String key) {
		return new IllegalStateException(
				"Lock '" + KeyText.of(key) + "' cannot have a minimum hold: it is shared with others");
	}

	/**
	 * Creates the exception for a reader that wants to become the writer. Such a reader
	 * would wait for itself.
	 */
	public LockException noUpgrade(String key) {
		return new LockException(key,
				"Lock '" + KeyText.of(key) + "' cannot be upgraded: thread '"
						+ ForeignText.nameOf(Thread.currentThread())
						+ "' holds it shared and would wait for itself; release it, then acquire it exclusively",
				null);
	}

	/**
	 * Creates the exception for a command that was not answered within the command
	 * timeout.
	 */
	public LockStoreException unanswered(String key, @Nullable LockStoreException lastFailure) {
		if (lastFailure != null) {
			return lastFailure;
		}
		return new TransientStoreException(key, "The store did not answer for lock '" + KeyText.of(key) + "' within "
				+ this.settings.commandTimeout().toMillis()
				+ " ms (command timeout); whether the lock is free is not known; the store is " + this.store.get(),
				null);
	}

	/**
	 * Creates the exception for a grant that nobody can use, because its answer took
	 * longer than the lease.
	 */
	public LockStoreException grantedTooLate(String key, LeaseTerm term) {
		return new TransientStoreException(key,
				"The store granted lock '" + KeyText.of(key) + "' too late: its lease of "
						+ DurationText.of(term.duration())
						+ ", or the session of this process, was over when the answer arrived. Nothing stays held; use "
						+ "a longer lease if answers may take that long",
				null);
	}

	/**
	 * Creates the exception for a repeated request whose first answer was lost. The store
	 * has ended the request since.
	 */
	public LockStoreException requestEnded(String key) {
		return new TransientStoreException(key,
				"The store had ended the request for lock '" + KeyText.of(key) + "' when it was repeated, because the "
						+ "answer to its refusal or to its release by force was lost; whether the lock is free is not "
						+ "known",
				null);
	}

	/** Creates the exception for a command that failed. */
	public LockStoreException ofStore(String key, @Nullable Throwable failure) {
		Throwable cause = (failure != null) ? FutureFailures.unwrap(failure) : null;
		String message = "The store failed for lock '" + KeyText.of(key) + "': "
				+ ((cause != null) ? ForeignText.messageOf(cause) : "it answered nothing");
		if (cause instanceof TransientRefusalException) {
			return new TransientRefusalException(key, message, cause);
		}
		return (cause instanceof TransientStoreException) ? new TransientStoreException(key, message, cause)
				: new LockStoreException(key, message, cause);
	}

	/**
	 * Creates the exception for a nested request that a hold without an owner thread does
	 * not cover.
	 * @param key the lock
	 * @return the exception
	 */
	public IllegalStateException heldInAnotherMode(String key) {
		return new IllegalStateException("Lock '" + KeyText.of(key)
				+ "' is held by the calling method in another mode, so the nested call would wait for itself. "
				+ "Take it in the stronger mode on the outer method, or by both in the same");
	}

}
