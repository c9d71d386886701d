package io.distlock;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import io.distlock.spi.Sharing;
import io.distlock.text.DurationText;
import io.distlock.text.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of the lock. Immutable; what is not said is taken from the template's
 * defaults.
 */
public final class LockRequest {

	/** The shortest lease that leaves room for a renewal over a network. */
	public static final Duration MIN_LEASE = Duration.ofMillis(100);

	/** The longest lease: about 31 years, what a store can still add to its clock. */
	public static final Duration MAX_LEASE = Duration.ofMillis(1_000_000_000_000L);

	/** The most permits: what asks for more asks for no limit. */
	public static final int MAX_PERMITS = 1_000_000;

	/** In the order of their acquisition, each once. */
	private final List<String> keys;

	private final WaitTime waitTime;

	private final @Nullable Duration leaseTime;

	private final @Nullable Integer maxWaiters;

	private final String caller;

	private final HoldPolicy policy;

	private final Sharing sharing;

	private LockRequest(List<String> keys, WaitTime waitTime, @Nullable Duration leaseTime,
			@Nullable Integer maxWaiters, String caller, HoldPolicy policy, Sharing sharing) {
		this.keys = keys;
		this.waitTime = waitTime;
		this.leaseTime = leaseTime;
		this.maxWaiters = maxWaiters;
		this.caller = caller;
		this.policy = policy;
		this.sharing = sharing;
	}

	/**
	 * Asks for a lock with the template's defaults.
	 * @param key the lock's identity, not blank
	 * @return the request
	 * @throws IllegalArgumentException if the key is null or blank
	 */
	public static LockRequest of(String key) {
		return new LockRequest(List.of(checkKey(key, "Lock key")), WaitTime.DEFAULT, null, null, "", HoldPolicy.NONE,
				Sharing.EXCLUSIVE);
	}

	/**
	 * Asks for several locks with the template's defaults, all of them or none. They are
	 * taken one after the other, in the same order everywhere, so that two callers cannot
	 * wait for each other; the wait time counts for all of them together. What was taken
	 * is released if one of them is not granted. Costs as many round trips as there are
	 * keys.
	 * @param keys the locks' identities; those that are there twice count once
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
		return new LockRequest(keys.stream().sorted().distinct().toList(), WaitTime.DEFAULT, null, null, "",
				HoldPolicy.NONE, Sharing.EXCLUSIVE);
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
		return with(this.waitTime.ask(checkWaitTime(key(), waitTime)));
	}

	/**
	 * Limits how long to wait, whatever is asked for by this request or by default: there
	 * is a moment after which the lock would be of no use. The shortest limit counts.
	 * @param limit zero for a single attempt
	 * @param reason what sets the limit, for the message of the refusal: {@code "what is
	 * left of the timeout of the transaction"}
	 * @return a new request
	 * @throws IllegalArgumentException if negative
	 */
	public LockRequest waitNoLongerThan(Duration limit, String reason) {
		return with(this.waitTime.limit(checkWaitTime(key(), limit), reason));
	}

	/**
	 * Sets a fixed lease: the lock ends by itself after this time and is <em>not</em>
	 * renewed. Without it the lock is renewed for as long as it is held.
	 * @param leaseTime from {@link #MIN_LEASE} to {@link #MAX_LEASE}
	 * @return a new request
	 * @throws IllegalArgumentException if out of range
	 */
	public LockRequest leaseFor(Duration leaseTime) {
		return new LockRequest(this.keys, this.waitTime, checkLeaseTime(key(), leaseTime), this.maxWaiters, this.caller,
				this.policy, this.sharing);
	}

	/**
	 * Limits how many callers wait for this lock in one process. One more is refused at
	 * once, as busy, so that a lock that is stuck does not eat a thread pool.
	 * @param maxWaiters from 1; who is asking the store counts as waiting
	 * @return a new request
	 * @throws IllegalArgumentException if less than 1
	 */
	public LockRequest maxWaiters(int maxWaiters) {
		if (maxWaiters < 1) {
			throw new IllegalArgumentException("Max waiters of lock '" + KeyText.of(key())
					+ "' must be at least 1, was " + maxWaiters + ": to try once without waiting use a wait time of 0");
		}
		return new LockRequest(this.keys, this.waitTime, this.leaseTime, maxWaiters, this.caller, this.policy,
				this.sharing);
	}

	/**
	 * Sets what happens to the running body when the lock is lost.
	 * @param onLost the choice
	 * @return a new request
	 */
	public LockRequest onLost(OnLost onLost) {
		return with(this.policy.with(Objects.requireNonNull(onLost, "'onLost' must not be null")));
	}

	/**
	 * Sets how long the lock may be held before that is told of: once, by a warning with
	 * the stack trace of the holding thread and by {@link LockListener#heldTooLong}. The
	 * lock is renewed all the same; to have it end use {@link #leaseFor}. Of nested
	 * acquisitions only the outermost has a say in this.
	 * @param maxHold more than zero
	 * @return a new request
	 * @throws IllegalArgumentException if not more than zero
	 */
	public LockRequest maxHold(Duration maxHold) {
		return with(this.policy.withMaxHold(maxHold));
	}

	/**
	 * Sets how long the lock stays taken even if its body ends earlier: for short jobs
	 * that several machines start at the same time, but not at quite the same time.
	 * Closing the last handle returns at once; the store is told to keep the lock for the
	 * rest of the time, so that it does even if this process ends. Nobody owns it then:
	 * the same thread has to wait like all others. Of nested acquisitions only the
	 * outermost has a say in this. Only for locks that are held alone.
	 * @param minHold counted from the grant; zero for no longer than the body, at most
	 * {@link #MAX_LEASE}
	 * @return a new request
	 * @throws IllegalArgumentException if out of range
	 */
	public LockRequest holdAtLeast(Duration minHold) {
		if (minHold.isNegative() || minHold.compareTo(MAX_LEASE) > 0) {
			throw new IllegalArgumentException("Minimum hold of lock '" + KeyText.of(key()) + "' must be between 0 and "
					+ MAX_LEASE + ", was " + minHold + ": write how far the clocks of the machines may be apart");
		}
		return with(this.policy.withMinHold(minHold));
	}

	/**
	 * Sets with whom the lock may be held. A thread that holds it exclusively may also
	 * acquire it shared, which keeps it exclusive; one that holds it shared and asks for
	 * it exclusively gets a {@link LockException}, as it would wait for itself.
	 * @param mode exclusive, if not set
	 * @return a new request
	 */
	public LockRequest mode(LockMode mode) {
		return with(Sharing.of(Objects.requireNonNull(mode, "'mode' must not be null")));
	}

	/**
	 * Asks for one of a number of permits instead of the lock: so many may hold the key
	 * at the same time. Like a lock, a permit ends with its lease if its process dies. It
	 * is not reentrant: each acquisition takes a permit of its own.
	 * @param permits how many there are, the same wherever the key is used; from 1 to
	 * {@link #MAX_PERMITS}
	 * @return a new request
	 * @throws IllegalArgumentException if out of range
	 */
	public LockRequest permits(int permits) {
		if (permits < 1 || permits > MAX_PERMITS) {
			throw new IllegalArgumentException(
					"Permits of '" + KeyText.of(key()) + "' must be between 1 and " + MAX_PERMITS + ", was " + permits);
		}
		return with(new Sharing.Permit(permits));
	}

	private LockRequest with(WaitTime waitTime) {
		return new LockRequest(this.keys, waitTime, this.leaseTime, this.maxWaiters, this.caller, this.policy,
				this.sharing);
	}

	private LockRequest with(Sharing sharing) {
		return new LockRequest(this.keys, this.waitTime, this.leaseTime, this.maxWaiters, this.caller, this.policy,
				sharing);
	}

	private LockRequest with(HoldPolicy policy) {
		return new LockRequest(this.keys, this.waitTime, this.leaseTime, this.maxWaiters, this.caller, policy,
				this.sharing);
	}

	/**
	 * Names the place that asks, for {@link Holder#caller()} in messages.
	 * @param caller for instance {@code OrderService.pay}
	 * @return a new request
	 */
	public LockRequest calledFrom(String caller) {
		return new LockRequest(this.keys, this.waitTime, this.leaseTime, this.maxWaiters,
				Objects.requireNonNull(caller, "'caller' must not be null"), this.policy, this.sharing);
	}

	/**
	 * Checks a wait time.
	 * @param key the lock, for the message
	 * @param waitTime the value
	 * @return the value
	 * @throws IllegalArgumentException if negative
	 */
	static Duration checkWaitTime(String key, Duration waitTime) {
		if (waitTime.isNegative()) {
			throw new IllegalArgumentException("Wait time of lock '" + KeyText.of(key) + "' must not be negative, was "
					+ waitTime + ": use 0 for a single attempt");
		}
		return waitTime;
	}

	/**
	 * Checks a lease time.
	 * @param key the lock, for the message
	 * @param leaseTime the value
	 * @return the value
	 * @throws IllegalArgumentException if out of range
	 */
	static Duration checkLeaseTime(String key, Duration leaseTime) {
		if (leaseTime.compareTo(MIN_LEASE) < 0 || leaseTime.compareTo(MAX_LEASE) > 0) {
			throw new IllegalArgumentException("Lease time of lock '" + KeyText.of(key) + "' must be between "
					+ MIN_LEASE + " and " + MAX_LEASE + ", was " + leaseTime);
		}
		return leaseTime;
	}

	/**
	 * The lock's identity.
	 * @return the key, not blank; of several keys all, for messages
	 */
	public String key() {
		return (this.keys.size() == 1) ? this.keys.get(0) : String.join(", ", this.keys);
	}

	/**
	 * The identities of all locks that are asked for.
	 * @return one key, or several: each once, in the order in which they are taken
	 */
	public List<String> keys() {
		return this.keys;
	}

	/**
	 * The same for each key by itself.
	 * @return requests for one key each, in the order in which they are taken
	 */
	public List<LockRequest> parts() {
		if (this.keys.size() == 1) {
			return List.of(this);
		}
		return this.keys.stream()
			.map((key) -> new LockRequest(List.of(key), this.waitTime, this.leaseTime, this.maxWaiters, this.caller,
					this.policy, this.sharing))
			.toList();
	}

	/**
	 * How long to wait.
	 * @return empty for the template's default
	 */
	public Optional<Duration> waitTime() {
		return Optional.ofNullable(this.waitTime.asked());
	}

	/**
	 * How long to wait, within the limit.
	 * @param defaultTime what counts if the request says nothing
	 * @return what was asked for or the limit, whichever is less
	 */
	public Duration waitTimeOr(Duration defaultTime) {
		return this.waitTime.or(defaultTime);
	}

	/**
	 * What makes the wait shorter than what was asked for.
	 * @param defaultTime what counts if the request says nothing
	 * @return the reason given for the limit, empty if it limits nothing
	 */
	public Optional<String> waitLimitedBy(Duration defaultTime) {
		return this.waitTime.limitedBy(defaultTime);
	}

	/**
	 * The fixed lease.
	 * @return empty for the template's default lease, renewed while held
	 */
	public Optional<Duration> leaseTime() {
		return Optional.ofNullable(this.leaseTime);
	}

	/**
	 * How many may wait in one process.
	 * @return empty for the template's default
	 */
	public Optional<Integer> maxWaiters() {
		return Optional.ofNullable(this.maxWaiters);
	}

	/**
	 * The place that asks.
	 * @return empty string when not told
	 */
	public String caller() {
		return this.caller;
	}

	/**
	 * What is done about the hold if it goes wrong.
	 * @return what this request says of it; the rest is the template's default
	 */
	public HoldPolicy policy() {
		return this.policy;
	}

	/**
	 * With whom the lock may be held.
	 * @return nobody, if not set
	 */
	public Sharing sharing() {
		return this.sharing;
	}

	@Override
	public String toString() {
		return "LockRequest[" + KeyText.of(key()) + ", wait " + waitTime().map(DurationText::of).orElse("default")
				+ ", lease " + leaseTime().map(DurationText::of).orElse("renewed") + "]";
	}

}
