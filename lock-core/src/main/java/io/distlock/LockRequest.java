package io.distlock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

import io.distlock.support.DurationText;
import io.distlock.support.ForeignText;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Describes one acquisition: the key, or several keys, and the options that differ from
 * the template's {@link LockSettings}. Immutable; each method that sets an option returns
 * a new request.
 */
public final class LockRequest {

	/** The shortest lease that leaves room for a renewal over a network: 100 ms. */
	public static final Duration MIN_LEASE = Duration.ofMillis(100);

	/**
	 * The longest lease: 10<sup>12</sup> ms, about 31 years. A store can still add this
	 * time to its clock.
	 */
	public static final Duration MAX_LEASE = Duration.ofMillis(1_000_000_000_000L);

	/** The largest number of permits: 1,000,000. */
	public static final int MAX_PERMITS = 1_000_000;

	/** Each key once, in the order of acquisition. */
	private final List<String> keys;

	private final LockOptions options;

	private final @Nullable LockMode mode;

	private final @Nullable WaitLimit waitLimit;

	private final Origin origin;

	private LockRequest(List<String> keys, LockOptions options, @Nullable LockMode mode, @Nullable WaitLimit waitLimit,
			Origin origin) {
		this.keys = keys;
		this.options = options;
		this.mode = mode;
		this.waitLimit = waitLimit;
		this.origin = origin;
		options.violation().ifPresent((violation) -> {
			throw new IllegalArgumentException(violation.describe(" of lock '" + KeyText.of(key()) + "'"));
		});
		if (mode != null && options.permits() != null) {
			throw new IllegalArgumentException("Lock '" + KeyText.of(key()) + "' cannot have both a mode (" + mode
					+ ") and permits (" + options.permits() + "): a permit limits how many callers hold the key, a "
					+ "mode says whether they share it. Leave out one of the two");
		}
	}

	/**
	 * Creates a request for a lock with the template's defaults.
	 * @param key the lock's identity, not blank
	 * @return the request
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	public static LockRequest of(String key) {
		return new LockRequest(List.of(checkKey(key, "Lock key")), LockOptions.NONE, null, null, Origin.NONE);
	}

	/**
	 * Creates a request for several locks, all of them or none, with the template's
	 * defaults. The locks are acquired one after the other, with a round trip for each.
	 * Their order is the same everywhere, so that two callers cannot wait for each other.
	 * The wait time counts for all of them together. If one lock is not granted, the
	 * others are released.
	 * @param keys the locks' identities; duplicates count once
	 * @return the request
	 * @throws IllegalArgumentException if there is no key, or one is null or blank
	 */
	public static LockRequest ofAll(Collection<String> keys) {
		int position = 0;
		for (String key : keys) {
			checkKey(key, "Lock key " + ++position + " of " + keys.size());
		}
		if (position == 0) {
			throw new IllegalArgumentException("There must be at least one lock key: nothing would be locked");
		}
		return new LockRequest(keys.stream().sorted().distinct().toList(), LockOptions.NONE, null, null, Origin.NONE);
	}

	/**
	 * Creates a request for one of several permits. As many callers as there are permits
	 * may hold the key at the same time. Like a lock, a permit ends with its lease if its
	 * process dies. A permit is not reentrant: each acquisition takes a further permit.
	 * @param key the identity, not blank
	 * @param permits how many permits there are, the same wherever the key is used; from
	 * 1 to {@link #MAX_PERMITS}
	 * @return the request
	 * @throws IllegalArgumentException if the key is null or blank, or the number is out
	 * of range
	 */
	public static LockRequest permit(String key, int permits) {
		return of(key).permits(permits);
	}

	@SuppressWarnings("ConstantValue")
	private static String checkKey(String key, String what) {
		if (key == null || key.isBlank()) {
			throw new IllegalArgumentException(
					what + " must not be " + ((key == null) ? "null" : "blank, was '" + KeyText.of(key) + "'")
							+ ": callers with different data would share one lock by accident");
		}
		return key;
	}

	/**
	 * Sets how long to wait for the lock.
	 * @param waitTime zero for a single attempt; very long values mean for ever
	 * @return a new request
	 * @throws IllegalArgumentException if negative
	 */
	public LockRequest waitAtMost(Duration waitTime) {
		return changed(this.options.withWaitTime(waitTime));
	}

	/**
	 * Limits the wait, whether the wait time is set or the default, because the lock
	 * would be of no use after a certain moment. The shortest limit counts.
	 * @param limit zero for a single attempt
	 * @param reason what sets the limit, for the message of the refusal: {@code "what is
	 * left of the timeout of the transaction"}
	 * @return a new request
	 * @throws IllegalArgumentException if negative
	 */
	public LockRequest limitWait(Duration limit, String reason) {
		LockOptions.NONE.withWaitTime(limit).violation().ifPresent((violation) -> {
			throw new IllegalArgumentException(violation.describe(" of lock '" + KeyText.of(key()) + "'"));
		});
		if (this.waitLimit != null && this.waitLimit.time().compareTo(limit) <= 0) {
			return this;
		}
		return new LockRequest(this.keys, this.options, this.mode, new WaitLimit(limit, reason), this.origin);
	}

	/**
	 * Sets a fixed lease: the lock ends after this time and is <em>not</em> renewed.
	 * Without a fixed lease, the lock is renewed for as long as it is held. If
	 * acquisitions are nested, only the outermost one sets the lease.
	 * @param leaseTime from {@link #MIN_LEASE} to {@link #MAX_LEASE}
	 * @return a new request
	 * @throws IllegalArgumentException if out of range
	 */
	public LockRequest leaseFor(Duration leaseTime) {
		return changed(this.options.withLeaseTime(leaseTime));
	}

	/**
	 * Limits how many callers wait for this lock in one process. A further caller is
	 * refused at once as busy, so that a stuck lock does not use up a thread pool. A
	 * caller whose request the store has not answered yet counts as waiting, even if the
	 * caller makes a single attempt.
	 * @param maxWaiters at least 1
	 * @return a new request
	 * @throws IllegalArgumentException if less than 1
	 */
	public LockRequest maxWaiters(int maxWaiters) {
		return changed(this.options.withMaxWaiters(maxWaiters));
	}

	/**
	 * Sets what happens to the running body when the lock is lost.
	 * @param onLost the choice; {@link OnLost#DEFAULT} means the template's choice
	 * @return a new request
	 */
	public LockRequest onLost(OnLost onLost) {
		return changed(this.options.withOnLost(Objects.requireNonNull(onLost, "'onLost' must not be null")));
	}

	/**
	 * Sets the expected maximum hold time. If the lock is held for longer, one warning
	 * with the stack trace of the holding thread is logged, and
	 * {@code LockObserver.heldTooLong} is notified once. The lock is still renewed. To
	 * let the lock end, use {@link #leaseFor}. If acquisitions are nested, only the
	 * outermost one sets the maximum.
	 * @param maxHold more than zero
	 * @return a new request
	 * @throws IllegalArgumentException if not more than zero
	 */
	public LockRequest maxHold(Duration maxHold) {
		return changed(this.options.withMaxHold(maxHold));
	}

	/**
	 * Sets how long the lock stays taken even if its body ends earlier. This is for short
	 * jobs that several machines start at nearly the same time. Closing the last handle
	 * does not wait until this time is over. The store keeps the lock for the rest of the
	 * time, even if this process ends. Meanwhile no thread owns the lock: the same thread
	 * has to wait like all others. If acquisitions are nested, only the outermost one
	 * sets the time. Only exclusive locks can have a minimum hold.
	 * @param minHold counted from the grant, at most {@link #MAX_LEASE}; zero to release
	 * the lock when the body ends
	 * @return a new request
	 * @throws IllegalArgumentException if out of range
	 */
	public LockRequest holdAtLeast(Duration minHold) {
		return changed(this.options.withMinHold(minHold));
	}

	/**
	 * Sets whether other callers may hold the lock at the same time. A thread that holds
	 * the lock exclusively may also acquire it shared. The lock stays exclusive until
	 * this thread has closed all its handles. A thread that holds the lock shared and
	 * asks for it exclusively gets a {@link LockException}, because it would wait for
	 * itself.
	 * @param mode the mode; exclusive if none is set
	 * @return a new request
	 * @throws IllegalArgumentException if the request is for a permit
	 */
	public LockRequest mode(LockMode mode) {
		return new LockRequest(this.keys, this.options, Objects.requireNonNull(mode, "'mode' must not be null"),
				this.waitLimit, this.origin);
	}

	/**
	 * Asks for one of several permits instead of the lock, as {@link #permit} does.
	 * @param permits from 1 to {@link #MAX_PERMITS}
	 * @return a new request
	 * @throws IllegalArgumentException if out of range, or a mode is set
	 */
	public LockRequest permits(int permits) {
		return changed(this.options.withPermits(permits));
	}

	/**
	 * Names the place in the code that asks for the lock. Messages show it as
	 * {@link Holder#caller()}.
	 * @param caller for instance {@code OrderService.pay}
	 * @return a new request
	 */
	public LockRequest calledFrom(String caller) {
		Objects.requireNonNull(caller, "'caller' must not be null");
		return new LockRequest(this.keys, this.options, this.mode, this.waitLimit,
				new Origin(caller, this.origin.name()));
	}

	/**
	 * Names the group of locks that the key belongs to, for meters, traces and logs:
	 * {@code stock} for {@code stock:42}. There should be few names, because each name
	 * has separate meters. The request of an annotated method already has its name.
	 * @param name the name, the same for all keys of the group
	 * @return a new request
	 */
	public LockRequest named(String name) {
		Objects.requireNonNull(name, "'name' must not be null");
		return new LockRequest(this.keys, this.options, this.mode, this.waitLimit,
				new Origin(this.origin.caller(), name));
	}

	/**
	 * Sets all options that are given; the others stay as they are.
	 * @param options what to set; {@link LockOptions#onStoreFailure()} has no effect on a
	 * request
	 * @return a new request
	 * @throws IllegalArgumentException if a value is out of range, or if permits are
	 * given and a mode is set
	 */
	public LockRequest with(LockOptions options) {
		return new LockRequest(this.keys, options.orElse(this.options), this.mode, this.waitLimit, this.origin);
	}

	/**
	 * Asks for another lock with the same options.
	 * @param key the other lock's identity, not blank
	 * @return a new request
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	public LockRequest forKey(String key) {
		return new LockRequest(List.of(checkKey(key, "Lock key")), this.options, this.mode, this.waitLimit,
				this.origin);
	}

	/**
	 * Returns the lock's identity.
	 * @return the key, not blank; several keys are joined for messages
	 */
	public String key() {
		return (this.keys.size() == 1) ? this.keys.get(0) : String.join(", ", this.keys);
	}

	/**
	 * Returns the identities of all requested locks.
	 * @return one key, or several: each once, in the order of their acquisition
	 */
	public List<String> keys() {
		return this.keys;
	}

	/**
	 * Returns the options that this request sets.
	 * @return the options; the template's defaults fill in the open ones
	 */
	public LockOptions options() {
		return this.options;
	}

	/**
	 * Returns whether other callers may hold the lock at the same time.
	 * @return the mode; {@link LockMode#EXCLUSIVE} if none is set, also for a permit
	 */
	public LockMode mode() {
		return (this.mode != null) ? this.mode : LockMode.EXCLUSIVE;
	}

	/**
	 * Returns the number of permits.
	 * @return empty if the request is for a lock
	 */
	public OptionalInt permits() {
		Integer permits = this.options.permits();
		return (permits != null) ? OptionalInt.of(permits) : OptionalInt.empty();
	}

	/**
	 * Returns how long to wait. {@link #waitLimit()} may shorten this time.
	 * @return empty for the template's default
	 */
	public Optional<Duration> waitTime() {
		return Optional.ofNullable(this.options.waitTime());
	}

	/**
	 * Returns what limits the wait.
	 * @return the shortest limit, empty if there is none
	 */
	public Optional<WaitLimit> waitLimit() {
		return Optional.ofNullable(this.waitLimit);
	}

	/**
	 * Returns the fixed lease.
	 * @return empty for the template's default lease, which is renewed while the lock is
	 * held
	 */
	public Optional<Duration> leaseTime() {
		return Optional.ofNullable(this.options.leaseTime());
	}

	/**
	 * Returns how many callers may wait in one process.
	 * @return empty for the template's default
	 */
	public OptionalInt maxWaiters() {
		Integer maxWaiters = this.options.maxWaiters();
		return (maxWaiters != null) ? OptionalInt.of(maxWaiters) : OptionalInt.empty();
	}

	/**
	 * Returns the place in the code that asks for the lock.
	 * @return empty if not set
	 */
	public String caller() {
		return this.origin.caller();
	}

	/**
	 * Returns the name of the group of locks that the key belongs to.
	 * @return empty if not set
	 */
	public String name() {
		return this.origin.name();
	}

	private LockRequest changed(LockOptions options) {
		return new LockRequest(this.keys, options, this.mode, this.waitLimit, this.origin);
	}

	@Override
	public String toString() {
		return "LockRequest[" + KeyText.of(key()) + ", wait " + waitTime().map(DurationText::of).orElse("default")
				+ ", lease " + leaseTime().map(DurationText::of).orElse("renewed") + "]";
	}

	/**
	 * The origin of a request.
	 *
	 * @param caller the place in the code that asks for the lock
	 * @param name the group of locks
	 */
	private record Origin(String caller, String name) {

		static final Origin NONE = new Origin("", "");

	}

	/**
	 * A limit of the wait.
	 *
	 * @param time the longest wait, zero or more
	 * @param reason what sets the limit, a phrase for messages
	 */
	public record WaitLimit(Duration time, String reason) {

		/**
		 * Creates a limit with a reason that is fit for messages.
		 * @param time the longest wait, zero or more
		 * @param reason what sets the limit, a phrase for messages
		 */
		public WaitLimit {
			reason = ForeignText.content(reason);
		}

	}

}
