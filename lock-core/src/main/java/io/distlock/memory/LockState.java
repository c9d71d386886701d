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

	private @Nullable Ownership owner;

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
		Ownership current = this.owner;
		if (current == null) {
			current = grant(request, command.lease().toMillis(), command.tokens(), false, command.holder(), now);
		}
		if (current.by(request)) {
			if (current.claimed()) {
				current = current.until(now + command.lease().toMillis());
				this.owner = current;
			}
			return new AcquireResult.Granted(current.grant(now), this.queue.size());
		}
		if (!command.queue()) {
			this.ended.put(request.instance(), new Ended(request.number(), FinishResult.UNKNOWN));
			return new AcquireResult.Busy(current.holder());
		}
		enqueue(command, now);
		Duration untilExpiry = Duration.ofMillis(current.expiresAt() - now + 1);
		return new AcquireResult.Queued(now, (untilExpiry.compareTo(POLL) < 0) ? untilExpiry : POLL, current.holder());
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
		Ownership current = this.owner;
		if (current != null && current.byInstance(request.instance())
				&& current.request().number() <= request.number()) {
			if (current.by(request)) {
				result = (current.expiresAt() > now) ? FinishResult.RELEASED : FinishResult.EXPIRED;
			}
			this.owner = null;
		}
		this.ended.put(request.instance(), new Ended(request.number(), result));
		settle(now, null);
		return result;
	}

	RenewResult renew(RenewCommand command) {
		long now = touch();
		Ownership current = this.owner;
		if (current == null || !current.by(command.request()) || current.expiresAt() <= now) {
			return new RenewResult.Gone(now);
		}
		long asked = now + command.lease().toMillis();
		// A late copy of a shorter renewal must not bring the end of a confirmed hold
		// forward.
		long end = current.claimed() ? asked : Math.max(asked, current.expiresAt());
		Ownership renewed = current.until(asked);
		if (command.tokens() > 0) {
			renewed = grant(command.request(), command.lease().toMillis(), command.tokens(), false, current.holder(),
					now);
		}
		this.owner = renewed.until(end);
		return new RenewResult.Renewed(renewed.grant(now), this.queue.size());
	}

	LockSnapshot inspect() {
		long now = this.server.now();
		Ownership current = this.owner;
		if (current != null && current.expiresAt() <= now) {
			current = null;
		}
		return new LockSnapshot(this.key, (current != null) ? current.request() : null,
				(current != null) ? current.holder() : null, this.highestToken,
				(current != null) ? Duration.ofMillis(current.expiresAt() - now) : Duration.ZERO,
				List.copyOf(this.queue.keySet()));
	}

	boolean forgettable(long now) {
		boolean free = this.owner == null || this.owner.expiresAt() <= now;
		return free && now - this.touchedAt > KEEP_MILLIS;
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
		return (queued != null && queued.request().number() > request.number()) || (this.owner != null
				&& this.owner.byInstance(request.instance()) && this.owner.request().number() > request.number());
	}

	/** An instance that asks anew has given up whatever it had. */
	private void endOwnOrphan(RequestId request, long now) {
		Ownership current = this.owner;
		if (current != null && current.byInstance(request.instance()) && !current.by(request)) {
			FinishResult result = (current.expiresAt() > now) ? FinishResult.RELEASED : FinishResult.EXPIRED;
			this.ended.put(request.instance(), new Ended(current.request().number(), result));
			this.owner = null;
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
			this.server.tellContended(this.key, this.owner);
		}
	}

	/**
	 * Ends an expired hold and gives a free lock to the first waiter that is alive. The
	 * one that asks right now gets its full lease, another one a short claim and a
	 * message.
	 */
	private void settle(long now, @Nullable AcquireCommand asking) {
		if (this.owner != null && this.owner.expiresAt() <= now) {
			this.owner = null;
		}
		Iterator<QueuedRequest> waiting = this.queue.values().iterator();
		while (this.owner == null && waiting.hasNext()) {
			QueuedRequest next = waiting.next();
			waiting.remove();
			if (next.aliveUntil() <= now) {
				continue;
			}
			AcquireCommand command = next.command();
			if (asking != null && next.request().equals(asking.request())) {
				grant(asking.request(), asking.lease().toMillis(), asking.tokens(), false, asking.holder(), now);
			}
			else {
				Ownership granted = grant(next.request(), CLAIM_MILLIS, command.tokens(), true, command.holder(), now);
				this.server.tellGranted(this.key, granted, now);
			}
		}
	}

	private Ownership grant(RequestId request, long millis, int tokens, boolean claimed, Holder holder, long now) {
		Instant since = this.server.clock().instant();
		long micros = Math.addExact(Math.multiplyExact(since.getEpochSecond(), 1_000_000L), since.getNano() / 1000);
		long token = Math.max(this.highestToken + 1, micros);
		this.highestToken = token + tokens - 1;
		Holder described = new Holder(holder.application(), holder.host(), holder.instance(), holder.thread(),
				holder.caller(), since);
		Ownership granted = new Ownership(request, token, tokens, now + millis, claimed, described);
		this.owner = granted;
		return granted;
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
