package io.distlock.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * One lock in the server: the protocol every store follows, in its simplest form. Each
 * instance has at most one live request; the last one that ended is remembered, so that a
 * late copy of it cannot win.
 */
final class LockState {

	private static final Duration POLL = Duration.ofMillis(500);

	private static final long CLAIM_MILLIS = 1500;

	private static final long WAITER_MILLIS = 2000;

	private static final long KEEP_MILLIS = 10_000;

	private final String key;

	private final InMemoryLockServer server;

	/** Queued requests by instance, first come first. */
	private final Map<String, QueuedRequest> queue = new LinkedHashMap<>();

	private final Map<String, Ended> ended = new HashMap<>();

	private final InMemoryHolds holders = new InMemoryHolds();

	private long highestToken;

	private long touchedAt;

	LockState(String key, InMemoryLockServer server) {
		this.key = key;
		this.server = server;
	}

	AcquireResult acquire(AcquireCommand command) {
		long now = touch();
		RequestId request = command.request();
		if (isOver(request) || isNewerKnown(request)) {
			return new AcquireResult.Ended();
		}
		endOwnOrphan(request, now);
		refreshOrDropQueued(command, now);
		settle(now, command);
		InMemoryHold own = this.holders.of(request.instance());
		if (own == null && this.queue.isEmpty() && this.holders.admit(command.sharing())) {
			own = grant(command, command.lease().toMillis(), false, now);
		}
		if (own != null) {
			if (own.claimed()) {
				own = own.until(now + command.lease().toMillis());
				this.holders.put(own);
			}
			return new AcquireResult.Granted(own.grant(now), this.queue.size());
		}
		InMemoryHold other = this.holders.firstToEnd();
		if (!command.queue()) {
			this.ended.put(request.instance(), new Ended(request.number(), FinishResult.UNKNOWN));
			return new AcquireResult.Busy(other.holder());
		}
		enqueue(command, now);
		Duration untilExpiry = Duration.ofMillis(other.expiresAt() - now + 1);
		return new AcquireResult.Queued(now, (untilExpiry.compareTo(POLL) < 0) ? untilExpiry : POLL, other.holder());
	}

	FinishResult finish(RequestId request) {
		long now = touch();
		Ended last = this.ended.get(request.instance());
		if (last != null && last.number() >= request.number()) {
			return (last.number() == request.number()) ? last.result() : FinishResult.UNKNOWN;
		}
		FinishResult result = FinishResult.UNKNOWN;
		QueuedRequest queued = this.queue.get(request.instance());
		if (queued != null && queued.request().number() <= request.number()) {
			this.queue.remove(request.instance());
			result = queued.request().equals(request) ? FinishResult.WITHDRAWN : result;
		}
		InMemoryHold own = this.holders.of(request.instance());
		if (own != null && own.request().number() <= request.number()) {
			if (own.by(request)) {
				result = (own.expiresAt() > now) ? FinishResult.RELEASED : FinishResult.EXPIRED;
			}
			this.holders.remove(request.instance());
		}
		this.ended.put(request.instance(), new Ended(request.number(), result));
		settle(now, null);
		return result;
	}

	RenewResult renew(RenewCommand command) {
		long now = touch();
		InMemoryHold own = this.holders.of(command.request().instance());
		if (own == null || !own.by(command.request()) || own.expiresAt() <= now) {
			return new RenewResult.Gone(now);
		}
		long asked = now + command.lease().toMillis();
		// A late copy of a shorter renewal must not bring the end of a confirmed hold
		// forward.
		long end = (own.claimed() || command.last()) ? asked : Math.max(asked, own.expiresAt());
		InMemoryHold renewed = own.until(asked);
		if (command.tokens() > 0) {
			renewed = renewed.with(reserve(command.tokens()), command.tokens());
		}
		this.holders.put(renewed.until(end));
		return new RenewResult.Renewed(renewed.grant(now), this.queue.size());
	}

	LockSnapshot inspect() {
		return LockSnapshot.of(this.key, this.holders.exclusive(), this.holders.seen(this.server.now()),
				this.highestToken, List.copyOf(this.queue.keySet()));
	}

	boolean forgettable(long now) {
		return !this.holders.anyValid(now) && now - this.touchedAt > KEEP_MILLIS;
	}

	private long touch() {
		this.touchedAt = this.server.now();
		return this.touchedAt;
	}

	private boolean isOver(RequestId request) {
		Ended last = this.ended.get(request.instance());
		return last != null && last.number() >= request.number();
	}

	private boolean isNewerKnown(RequestId request) {
		QueuedRequest queued = this.queue.get(request.instance());
		InMemoryHold own = this.holders.of(request.instance());
		return (queued != null && queued.request().number() > request.number())
				|| (own != null && own.request().number() > request.number());
	}

	/** An instance that asks anew has given up whatever it had. */
	private void endOwnOrphan(RequestId request, long now) {
		InMemoryHold own = this.holders.of(request.instance());
		if (own != null && !own.by(request)) {
			FinishResult result = (own.expiresAt() > now) ? FinishResult.RELEASED : FinishResult.EXPIRED;
			this.ended.put(request.instance(), new Ended(own.request().number(), result));
			this.holders.remove(request.instance());
		}
	}

	private void refreshOrDropQueued(AcquireCommand command, long now) {
		String instance = command.request().instance();
		if (!command.queue()) {
			this.queue.remove(instance);
		}
		else if (this.queue.containsKey(instance)) {
			this.queue.put(instance, new QueuedRequest(command, now + WAITER_MILLIS));
		}
	}

	private void enqueue(AcquireCommand command, long now) {
		if (this.queue.putIfAbsent(command.request().instance(),
				new QueuedRequest(command, now + WAITER_MILLIS)) == null && this.queue.size() == 1) {
			this.server.reportContention(this.key, this.holders.all());
		}
	}

	/**
	 * Ends expired holds and admits those who wait, first come first served, as long as
	 * the next one may be. The one that asks right now gets its full lease, another one a
	 * short claim and a message.
	 */
	private void settle(long now, @Nullable AcquireCommand asking) {
		this.holders.removeExpired(now);
		Iterator<QueuedRequest> waiting = this.queue.values().iterator();
		while (!this.holders.exclusive() && waiting.hasNext()) {
			QueuedRequest next = waiting.next();
			if (next.aliveUntil() > now) {
				if (!this.holders.admit(next.command().sharing())) {
					return;
				}
				admit(next.command(), now, asking);
			}
			waiting.remove();
		}
	}

	private void admit(AcquireCommand waiter, long now, @Nullable AcquireCommand asking) {
		if (asking != null && waiter.request().equals(asking.request())) {
			grant(asking, asking.lease().toMillis(), false, now);
		}
		else {
			this.server.reportGrant(this.key, grant(waiter, CLAIM_MILLIS, true, now), now);
		}
	}

	private InMemoryHold grant(AcquireCommand command, long millis, boolean claimed, long now) {
		Holder asking = command.holder();
		Holder described = new Holder(asking.application(), asking.host(), asking.instance(), asking.thread(),
				asking.caller(), this.server.clock().instant());
		InMemoryHold granted = new InMemoryHold(command.request(), command.sharing(), reserve(command.tokens()),
				command.tokens(), now + millis, claimed, described);
		this.holders.put(granted);
		return granted;
	}

	/** The first of so many fencing tokens, above all earlier ones. */
	private long reserve(int tokens) {
		Instant instant = this.server.clock().instant();
		long micros = Math.addExact(Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1000);
		long token = Math.max(this.highestToken + 1, micros);
		this.highestToken = token + tokens - 1;
		return token;
	}

	/**
	 * A request in the queue.
	 *
	 * @param command its last repetition
	 * @param aliveUntil when its instance counts as dead unless it repeats it
	 */
	private record QueuedRequest(AcquireCommand command, long aliveUntil) {

		RequestId request() {
			return this.command.request();
		}

	}

	/**
	 * The last request of an instance that ended.
	 *
	 * @param number its number
	 * @param result what was ended
	 */
	private record Ended(long number, FinishResult result) {
	}

}
