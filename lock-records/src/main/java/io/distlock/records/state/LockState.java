package io.distlock.records.state;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords.StoreTime;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * The state of one lock, with the protocol of every store in its simplest form. Each
 * instance has at most one live request. The state remembers the last ended request of
 * each instance, so that a late copy of it cannot win.
 * <p>
 * A command changes the state at once. Its answer must be read only after the change is
 * stored, because only then do all tokens have numbers.
 */
public final class LockState {

	private static final int LONGEST_SUMMARY = 200;

	private final String key;

	private final StateRules rules;

	/** The queued requests by instance, in the order of their arrival. */
	private final Map<String, StateWaiter> queue = new LinkedHashMap<>();

	private final Map<String, EndedRequest> ended = new LinkedHashMap<>();

	private final StateHolds holds = new StateHolds();

	private final TokenCounter tokens = new TokenCounter();

	private final List<StateMessage> messages = new ArrayList<>();

	private long notAfter = Long.MAX_VALUE;

	/**
	 * The longest grace of all processes that have changed this lock since it was idle.
	 */
	private long graceMillis;

	/**
	 * Creates a lock that was never used.
	 * @param key the lock
	 * @param rules what differs between stores
	 */
	public LockState(String key, StateRules rules) {
		this.key = key;
		this.rules = rules;
		this.graceMillis = rules.graceMillis();
	}

	/**
	 * Tries once to acquire the lock in a store whose messages reach each waiter.
	 * @param command what to acquire
	 * @param time the moment, and the incarnation of the process
	 * @return the answer
	 */
	public Supplier<AcquireResult> acquire(AcquireCommand command, StoreTime time) {
		return acquire(command, time, Line.PUSHED);
	}

	/**
	 * Tries once to acquire the lock.
	 * @param command what to acquire
	 * @param time the moment, and the incarnation of the process
	 * @param line how the request waits
	 * @return the answer
	 */
	public Supplier<AcquireResult> acquire(AcquireCommand command, StoreTime time, Line line) {
		RequestId request = command.request();
		if (isOver(request) || isNewerKnown(request)) {
			return AcquireResult.Ended::new;
		}
		endOwnOrphan(request, time);
		refreshOrDropQueued(command, time, line);
		admitWaiters(time, command);
		StateHold own = this.holds.of(request.instance());
		if (own == null && this.queue.isEmpty() && this.holds.admit(command.sharing())) {
			own = grant(command, time);
		}
		if (own != null) {
			return granted(own.claimed() ? confirm(own, command.lease(), time) : own, time);
		}
		StateHold other = this.holds.firstToEnd();
		if (!command.queue()) {
			if (this.rules.remembersRefusals()) {
				end(request, FinishResult.UNKNOWN, time);
			}
			return () -> new AcquireResult.Busy(other.holder());
		}
		enqueue(command, time, line);
		Duration pollWithin = Duration.ofMillis(pollMillis(line.pauseMillis(place(request)), other, time));
		return () -> new AcquireResult.Queued(time.now(), pollWithin, other.holder());
	}

	/**
	 * Ends a request in whatever state it is.
	 * @param request what to end
	 * @param keepFor how long the store keeps a valid hold from now on
	 * @param time when
	 * @return the result of the end
	 */
	public Supplier<FinishResult> finish(RequestId request, Duration keepFor, StoreTime time) {
		EndedRequest last = this.ended.get(request.instance());
		if (last != null && last.number() >= request.number()) {
			return () -> (last.number() == request.number()) ? last.result() : FinishResult.UNKNOWN;
		}
		FinishResult result = withdraw(request);
		StateHold own = this.holds.of(request.instance());
		if (own != null && own.request().number() <= request.number()) {
			result = own.by(request) ? resultOfEnd(own, time) : result;
			this.holds.remove(request.instance());
			long kept = keepFor.toMillis();
			if (result == FinishResult.RELEASED && kept > 0) {
				this.holds.put(own.kept(time.now() + kept, kept));
			}
		}
		end(request, result, time);
		admitWaiters(time, null);
		FinishResult answer = result;
		return () -> answer;
	}

	/**
	 * Extends a hold.
	 * @param command what to extend
	 * @param time when
	 * @return the answer
	 */
	public Supplier<RenewResult> renew(RenewCommand command, StoreTime time) {
		StateHold own = this.holds.by(command.request());
		if (own == null || !own.isUsable(time)) {
			boolean forced = isForced(command.request());
			return () -> new RenewResult.Gone(forced);
		}
		StateHold renewed = extended(own, command, time);
		if (command.tokens() > 0) {
			renewed = renewed.with(this.tokens.reserve(command.tokens(), time.tokenFloor()));
		}
		this.holds.put(renewed);
		StateHold answered = renewed;
		long asked = time.now() + command.lease().toMillis();
		int waiters = this.queue.size();
		return () -> new RenewResult.Renewed(answered.grant(asked, time.now()), waiters);
	}

	/**
	 * Ends holds by force, without the consent of their owners.
	 * @param command which holds
	 * @param time when
	 * @return the requests whose holds were ended by force, now or before
	 */
	public Supplier<Set<RequestId>> forceRelease(ForceReleaseCommand command, StoreTime time) {
		Set<RequestId> released = new LinkedHashSet<>();
		Set<StateMessage> notices = new LinkedHashSet<>();
		for (RequestId request : command.holds()) {
			StateHold hold = this.holds.by(request);
			if (hold != null && hold.isValid(time)) {
				this.holds.remove(request.instance());
				endByForce(request, hold, time);
				if (!request.isKept()) {
					notices.add(new StateMessage.Revoked(request.engine(), hold.incarnation()));
				}
				released.add(request);
			}
			else if (isForced(request)) {
				released.add(request);
			}
		}
		admitWaiters(time, null);
		this.messages.addAll(notices);
		return () -> released;
	}

	private boolean isForced(RequestId request) {
		EndedRequest last = this.ended.get(request.instance());
		return last != null && last.number() == request.number() && last.result() == FinishResult.FORCED;
	}

	/**
	 * Ends a hold whose lease is over by the clock of the hold's process. This serves
	 * holds that no clock of the store ends.
	 * @param request what to end
	 * @param time when
	 */
	public void expire(RequestId request, StoreTime time) {
		if (this.holds.by(request) != null) {
			this.holds.remove(request.instance());
			end(request, FinishResult.UNKNOWN, time);
			admitWaiters(time, null);
		}
	}

	/**
	 * Reads the lock.
	 * @param time when
	 * @return its state
	 */
	public LockSnapshot inspect(StoreTime time) {
		return LockSnapshot.of(this.key, this.holds.exclusive(), this.holds.seen(time), this.tokens.highest(),
				List.copyOf(this.queue.keySet()));
	}

	/**
	 * Returns the grant of a request.
	 * @param request the request
	 * @param time the moment, and the incarnation of the process
	 * @return the present grant, empty if the request has no grant yet or no longer has
	 * one
	 */
	public Optional<Grant> grantOf(RequestId request, StoreTime time) {
		StateHold own = this.holds.by(request);
		return (own != null && own.isUsable(time)) ? Optional.of(own.grant(time.now())) : Optional.empty();
	}

	/**
	 * Returns whether any hold is valid.
	 * @param time when
	 * @return {@code false} if the lock is free or its holders are dead
	 */
	public boolean isHeld(StoreTime time) {
		return this.holds.anyValid(time);
	}

	/**
	 * Returns whether the lock has neither holds nor waiters, dead or alive.
	 * @return {@code true} if the lock only remembers the past
	 */
	public boolean isIdle() {
		return this.holds.isEmpty() && this.queue.isEmpty();
	}

	/**
	 * Returns whether the state of the lock is no longer needed. If so, the lock has no
	 * holder and no waiter, and each former holder knows of its release by force.
	 * @param now the store's clock, in milliseconds
	 * @return {@code true} if another process may overwrite it
	 */
	public boolean isForgettable(long now) {
		return isIdle() && this.ended.values().stream().noneMatch((last) -> last.isNews(now));
	}

	/**
	 * Returns whether an engine holds the lock or waits for it.
	 * @param engine the engine
	 * @return {@code true} if the engine has a request
	 */
	public boolean concerns(String engine) {
		return this.holds.all().stream().anyMatch((hold) -> hold.request().engine().equals(engine))
				|| this.queue.values().stream().anyMatch((waiter) -> waiter.request().engine().equals(engine));
	}

	/**
	 * Returns the incarnations of all engines that hold the lock or wait for it.
	 * @return the incarnations, each once
	 */
	public Set<String> incarnations() {
		Set<String> incarnations = new LinkedHashSet<>();
		this.holds.all()
			.stream()
			.filter((hold) -> !hold.request().isKept())
			.forEach((hold) -> incarnations.add(hold.incarnation()));
		this.queue.values().forEach((waiter) -> incarnations.add(waiter.incarnation()));
		return incarnations;
	}

	/**
	 * Returns the remembered ended requests of one engine.
	 * @param engine the engine
	 * @return the last ended request of each instance, with the result of the end
	 */
	public Map<RequestId, FinishResult> endedOf(String engine) {
		Map<RequestId, FinishResult> found = new HashMap<>();
		this.ended.forEach((instance, last) -> {
			RequestId request = RequestId.parse(instance, last.number());
			if (request.engine().equals(engine)) {
				found.put(request, last.result());
			}
		});
		return found;
	}

	/**
	 * Returns whether any hold consists of permits.
	 * @return {@code false} also if the lock is free
	 */
	public boolean hasPermits() {
		return this.holds.permits();
	}

	/**
	 * Returns the highest fencing token granted or reserved so far.
	 * @return 0 if none is remembered
	 */
	public long highestToken() {
		return this.tokens.highest();
	}

	/**
	 * Makes sure that all later tokens are higher than this token.
	 * @param token the token
	 */
	public void raiseToken(long token) {
		this.tokens.raise(token);
	}

	/**
	 * Gives numbers to the tokens that the last change reserved.
	 * @param tokenFloor the lowest of these tokens
	 */
	public void numberTokens(long tokenFloor) {
		this.tokens.number(tokenFloor);
	}

	/**
	 * Returns and forgets the messages that commands have caused since the last call.
	 * @return the messages, which the caller sends after it has stored the change
	 */
	public List<StateMessage> takeMessages() {
		if (this.messages.isEmpty()) {
			return List.of();
		}
		List<StateMessage> taken = List.copyOf(this.messages);
		this.messages.clear();
		return taken;
	}

	/**
	 * Returns the time from which the change must not be stored.
	 * @return milliseconds of the store's clock, {@link Long#MAX_VALUE} if there is none
	 */
	public long notAfter() {
		return this.notAfter;
	}

	/**
	 * Returns how long a hold still excludes others after its end.
	 * @return milliseconds, the longest of all processes that have changed this lock
	 * since it was idle
	 */
	public long graceMillis() {
		return isIdle() ? this.rules.graceMillis() : this.graceMillis;
	}

	/**
	 * Keeps the grace of other processes that have written this lock, because they rely
	 * on it.
	 */
	void keepGrace(long millis) {
		this.graceMillis = Math.max(this.graceMillis, millis);
	}

	/** Returns whether a request waits for a grant. */
	public boolean isAwaited() {
		return !this.queue.isEmpty();
	}

	/**
	 * Describes the lock for people who look into the store.
	 * @return one holder, the number of waiters, and the end of the last hold or waiter
	 * by the store's clock
	 */
	public Summary summary() {
		String holder = this.holds.isEmpty() ? "" : describe(this.holds.firstToEnd().holder());
		long until = 0;
		for (StateHold hold : this.holds.all()) {
			until = Math.max(until, timed(hold.end()));
		}
		for (StateWaiter waiter : this.queue.values()) {
			until = Math.max(until, timed(waiter.aliveUntil()));
		}
		for (EndedRequest last : this.ended.values()) {
			until = Math.max(until, last.newsUntil());
		}
		return new Summary(holder, this.queue.size(), until);
	}

	private static long timed(long end) {
		return (end != StateHold.OPEN) ? end : 0;
	}

	private static String describe(Holder holder) {
		return printable(holder.application() + "@" + holder.host() + " " + holder.caller());
	}

	private static String printable(String text) {
		int length = Math.min(LONGEST_SUMMARY, text.length());
		StringBuilder printable = new StringBuilder(length);
		for (int i = 0; i < length; i++) {
			char c = text.charAt(i);
			printable.append((c < ' ' || c > '~') ? '?' : c);
		}
		return printable.toString();
	}

	private boolean isOver(RequestId request) {
		EndedRequest last = this.ended.get(request.instance());
		return last != null && last.number() >= request.number();
	}

	private boolean isNewerKnown(RequestId request) {
		StateWaiter queued = this.queue.get(request.instance());
		StateHold own = this.holds.of(request.instance());
		return (queued != null && queued.request().number() > request.number())
				|| (own != null && own.request().number() > request.number());
	}

	/**
	 * Ends the earlier request of an instance that asks again, because the instance has
	 * given it up. Also removes an unusable hold of the same request, because the
	 * instance cannot rely on it.
	 */
	private void endOwnOrphan(RequestId request, StoreTime time) {
		StateHold own = this.holds.of(request.instance());
		if (own != null && !own.by(request)) {
			end(own.request(), resultOfEnd(own, time), time);
			this.holds.remove(request.instance());
		}
		else if (own != null && !own.isUsable(time)) {
			this.holds.remove(request.instance());
		}
	}

	private static FinishResult resultOfEnd(StateHold own, StoreTime time) {
		return own.isValid(time) ? FinishResult.RELEASED : FinishResult.EXPIRED;
	}

	private FinishResult withdraw(RequestId request) {
		StateWaiter queued = this.queue.get(request.instance());
		if (queued == null || queued.request().number() > request.number()) {
			return FinishResult.UNKNOWN;
		}
		this.queue.remove(request.instance());
		return queued.request().equals(request) ? FinishResult.WITHDRAWN : FinishResult.UNKNOWN;
	}

	private void end(RequestId request, FinishResult result, StoreTime time) {
		end(request, new EndedRequest(request.number(), result, time.now()), time);
	}

	/**
	 * Ends a hold by force. An open hold shows its lease, which its process renews like
	 * any other lease.
	 */
	private void endByForce(RequestId request, StateHold hold, StoreTime time) {
		long until = (hold.end() != StateHold.OPEN) ? hold.end() : time.now() + hold.leaseMillis();
		end(request, new EndedRequest(request.number(), FinishResult.FORCED, time.now(), until), time);
	}

	private void end(RequestId request, EndedRequest last, StoreTime time) {
		this.ended.put(request.instance(), last);
		if (this.ended.size() > 1) {
			this.ended.values().removeIf((known) -> known.isForgettable(time.now(), this.rules.keepMillis()));
		}
	}

	private StateHold extended(StateHold own, RenewCommand command, StoreTime time) {
		long lease = command.lease().toMillis();
		long asked = time.now() + lease;
		if (own.end() == StateHold.OPEN) {
			// The hold lasts as long as its session, so there is nothing to store.
			return own;
		}
		forbidAfterEndOf(own);
		return own.confirmedUntil(Math.max(asked, own.end()), lease);
	}

	/**
	 * Makes sure that a change that extends a hold is not stored after the end of the
	 * hold.
	 */
	private void forbidAfterEndOf(StateHold hold) {
		this.notAfter = Math.min(this.notAfter, hold.end() - 1);
	}

	private StateHold confirm(StateHold own, Duration lease, StoreTime time) {
		forbidAfterEndOf(own);
		long end = Math.max(end(lease.toMillis(), time), own.end());
		StateHold confirmed = own.confirmedUntil(end, lease.toMillis());
		this.holds.put(confirmed);
		return confirmed;
	}

	private Supplier<AcquireResult> granted(StateHold own, StoreTime time) {
		int waiters = this.queue.size();
		return () -> new AcquireResult.Granted(own.grant(time.now()), waiters);
	}

	private void refreshOrDropQueued(AcquireCommand command, StoreTime time, Line line) {
		String instance = command.request().instance();
		StateWaiter queued = this.queue.get(instance);
		if (queued == null) {
			return;
		}
		if (!command.queue()) {
			this.queue.remove(instance);
		}
		else if (!queued.request().equals(command.request())
				|| queued.aliveUntil() - time.now() < this.rules.refreshMillis() && line.isWorthAWrite()) {
			this.queue.put(instance, waiter(command, place(command.request()) - 1, time));
		}
	}

	private void enqueue(AcquireCommand command, StoreTime time, Line line) {
		if (this.queue.size() < this.rules.maxWaiters() && line.isWorthAWrite() && this.queue
			.putIfAbsent(command.request().instance(), waiter(command, this.queue.size(), time)) == null
				&& this.queue.size() == 1) {
			reportContention();
		}
	}

	/** Reports contention with one message to each incarnation that holds the lock. */
	private void reportContention() {
		this.holds.all()
			.stream()
			.filter((hold) -> !hold.request().isKept())
			.map((hold) -> new StateMessage.Contended(hold.request().engine(), hold.incarnation()))
			.distinct()
			.forEach(this.messages::add);
	}

	private StateWaiter waiter(AcquireCommand command, int before, StoreTime time) {
		return new StateWaiter(command.request(), time.incarnation(), command.sharing(), command.tokens(),
				command.lease().toMillis(), end(this.rules.aliveMillis(before), time), command.holder());
	}

	/** Returns the place of a request in the queue, from 1; 0 if it has none. */
	private int place(RequestId request) {
		int place = 1;
		for (String instance : this.queue.keySet()) {
			if (instance.equals(request.instance())) {
				return place;
			}
			place++;
		}
		return 0;
	}

	/** Returns the pause, or the time until the first hold is over if that is less. */
	private long pollMillis(long pause, StateHold other, StoreTime time) {
		if (other.end() == StateHold.OPEN) {
			return pause;
		}
		return Math.max(1, Math.min(pause, other.end() + this.graceMillis - time.now() + 1));
	}

	/**
	 * Ends expired holds and admits waiting requests in the order of their arrival, until
	 * a request does not fit. The asking request gets its full lease. Any other request
	 * gets a short claim and a message.
	 */
	private void admitWaiters(StoreTime time, @Nullable AcquireCommand asking) {
		this.holds.removeOver(time, this.graceMillis);
		if (this.queue.isEmpty()) {
			return;
		}
		Iterator<StateWaiter> waiting = this.queue.values().iterator();
		while (!this.holds.exclusive() && waiting.hasNext()) {
			StateWaiter next = waiting.next();
			if (next.isAlive(time)) {
				if (!this.holds.admit(next.sharing())) {
					return;
				}
				admit(next, time, asking);
			}
			waiting.remove();
		}
	}

	private void admit(StateWaiter waiter, StoreTime time, @Nullable AcquireCommand asking) {
		if (asking != null && waiter.request().equals(asking.request())) {
			grant(asking, time);
			return;
		}
		StateHold claim = grant(waiter, this.rules.claimMillis(waiter.leaseMillis()), true, time);
		long expiresAt = (claim.end() != StateHold.OPEN) ? claim.end() : time.now() + waiter.leaseMillis();
		this.messages.add(new StateMessage.Granted(waiter.request(), waiter.incarnation(), expiresAt, time.now(),
				claim.tokens()));
	}

	private StateHold grant(AcquireCommand command, StoreTime time) {
		return grant(waiter(command, 0, time), command.lease().toMillis(), false, time);
	}

	private StateHold grant(StateWaiter waiter, long millis, boolean claimed, StoreTime time) {
		Holder asking = waiter.holder();
		Holder described = new Holder(asking.application(), asking.host(), asking.instance(), asking.thread(),
				asking.caller(), Instant.ofEpochMilli(time.now()), asking.trace());
		StateHold granted = new StateHold(waiter.request(), waiter.incarnation(), waiter.sharing(),
				this.tokens.reserve(waiter.tokens(), time.tokenFloor()), end(millis, time),
				this.rules.byClock() ? millis : waiter.leaseMillis(), claimed && this.rules.byClock(), described);
		this.holds.put(granted);
		return granted;
	}

	private long end(long millis, StoreTime time) {
		return this.rules.byClock() ? time.now() + millis : StateHold.OPEN;
	}

	// The parts of a stored text, for LockText.

	TokenCounter tokens() {
		return this.tokens;
	}

	StateHolds holds() {
		return this.holds;
	}

	Collection<StateWaiter> waiters() {
		return this.queue.values();
	}

	Map<String, EndedRequest> ended() {
		return this.ended;
	}

	void put(StateWaiter waiter) {
		this.queue.put(waiter.request().instance(), waiter);
	}

}
