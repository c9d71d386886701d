package io.distlock.records;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.StoreSession;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the holds that this process was granted and has not finished. Where no clock of
 * the place ends holds, this class ends them on time. It remembers which holds a finish
 * without an answer may have ended.
 */
final class GrantedHere {

	/** The delay after which an unconfirmed end is repeated. */
	private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** One look ends all holds whose ends are at most this far apart. */
	private static final long APART_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final Map<Id, Own> holds = new ConcurrentHashMap<>();

	/** The next look for expired holds. One timer serves all holds. */
	private final AtomicReference<@Nullable Look> next = new AtomicReference<>();

	/** Forgets the holds that the clock of the place has ended. */
	private final Sweep sweep;

	private final RecordPipelines pipelines;

	private final PipelineContext context;

	GrantedHere(RecordPipelines pipelines) {
		this.pipelines = pipelines;
		this.context = pipelines.context();
		this.sweep = new Sweep(this.context.scheduler(), this::sweep);
	}

	/** Adds the session of this process to the answer to an acquisition. */
	Supplier<AcquireResult> answer(AcquireCommand command, String incarnation, Supplier<AcquireResult> computed) {
		return () -> {
			AcquireResult result = computed.get();
			if (!(result instanceof AcquireResult.Granted granted)) {
				return result;
			}
			Grant grant = inSession(command.key(), granted.grant(), incarnation);
			granted(new Id(command.key(), command.request()), grant);
			return new AcquireResult.Granted(grant, granted.waiters());
		};
	}

	/** Adds the session of this process to the answer to a renewal. */
	Supplier<RenewResult> answer(RenewCommand command, String incarnation, Supplier<RenewResult> computed) {
		return () -> {
			RenewResult result = computed.get();
			if (!(result instanceof RenewResult.Renewed renewed)) {
				this.holds.remove(new Id(command.key(), command.request()));
				return result;
			}
			Grant grant = inSession(command.key(), renewed.grant(), incarnation);
			granted(new Id(command.key(), command.request()), grant);
			return new RenewResult.Renewed(grant, renewed.waiters());
		};
	}

	/**
	 * Returns the answer to a finish. If the record does not know the hold, an earlier
	 * finish may have ended it.
	 */
	Supplier<FinishResult> ending(String key, RequestId request, Supplier<FinishResult> computed) {
		return () -> {
			FinishResult result = computed.get();
			Own own = this.holds.remove(new Id(key, request));
			boolean ended = own != null && own.unconfirmed() && own.end() - this.context.nanoTime() > 0;
			return (result == FinishResult.UNKNOWN && ended) ? FinishResult.RELEASED : result;
		};
	}

	/** Notes that a finish was not answered, and may have been executed. */
	void endUnconfirmed(String key, RequestId request) {
		this.holds.computeIfPresent(new Id(key, request), (id, own) -> new Own(own.end(), own.firstToken(), true));
	}

	/**
	 * Keeps a grant that was found by reading the record. Perhaps no command ever
	 * confirms this grant.
	 * @return the grant, empty if the session may be over
	 */
	Optional<Grant> found(String key, RequestId request, Grant grant, String incarnation) {
		StoreSession session = this.context.records().session(incarnation);
		if (session.sureUntil() - this.context.nanoTime() <= 0) {
			return Optional.empty();
		}
		if (endsHolds()) {
			granted(new Id(key, request), grant);
		}
		return Optional.of(inSession(grant, session));
	}

	/** Returns whether this process ends holds, because no clock of the place does. */
	private boolean endsHolds() {
		return !this.context.rules().byClock();
	}

	private static Grant inSession(Grant grant, StoreSession session) {
		return new Grant(grant.fencingToken(), grant.tokens(), grant.expiresAt(), grant.storeTime(), session);
	}

	/** Forgets all holds: the end of the session ends them. */
	void clear() {
		this.holds.clear();
	}

	private Grant inSession(String key, Grant grant, String incarnation) {
		StoreSession session = this.context.records().session(incarnation);
		if (session.sureUntil() - this.context.nanoTime() <= 0) {
			throw new TransientStoreException(key, "Lock '" + KeyText.of(key) + "' in "
					+ this.context.records().describe() + ": the session of this process may be over", null);
		}
		return inSession(grant, session);
	}

	private void granted(Id id, Grant grant) {
		long end = this.context.nanoTime() + TimeUnit.MILLISECONDS.toNanos(grant.remainingMillis());
		Own first = new Own(end, grant.fencingToken(), false);
		this.holds.merge(id, first, (known, later) -> new Own(end, known.firstToken(), false));
		if (endsHolds()) {
			lookNoLaterThan(end);
		}
		else {
			this.sweep.plan();
		}
	}

	private boolean sweep() {
		long now = this.context.nanoTime();
		this.holds.values().removeIf((own) -> own.end() - now <= 0);
		return !this.holds.isEmpty();
	}

	/** Forgets a hold that this process has ended in another way than by a finish. */
	void over(String key, RequestId request) {
		this.holds.remove(new Id(key, request));
	}

	/** Returns the number of holds that are remembered. */
	int size() {
		return this.holds.size();
	}

	/**
	 * Returns the lowest token of a hold. A renewal that reserves tokens replaces the
	 * tokens in the record, but a thread may still have an earlier token.
	 */
	long firstToken(String key, RequestId request, long recorded) {
		Own own = this.holds.get(new Id(key, request));
		return (own != null) ? Math.min(own.firstToken(), recorded) : recorded;
	}

	/**
	 * Plans a look at this moment or earlier. The session outlasts the leases, so this
	 * process ends them.
	 */
	private void lookNoLaterThan(long moment) {
		Look planned = this.next.get();
		while (planned == null || moment - planned.at() < 0) {
			Look sooner = new Look(moment);
			if (this.next.compareAndSet(planned, sooner)) {
				plan(sooner);
				return;
			}
			planned = this.next.get();
		}
	}

	private void plan(Look sooner) {
		try {
			long delay = Math.max(0, sooner.at() - this.context.nanoTime());
			this.context.scheduler().schedule(Duration.ofNanos(delay), () -> look(sooner));
		}
		catch (Throwable ex) {
			// A look that never runs must not prevent the planning of others.
			this.next.compareAndSet(sooner, null);
			throw ex;
		}
	}

	private void look(Look planned) {
		if (!this.next.compareAndSet(planned, null)) {
			return;
		}
		long now = this.context.nanoTime();
		boolean any = false;
		long earliest = now + Long.MAX_VALUE / 2;
		for (Map.Entry<Id, Own> hold : this.holds.entrySet()) {
			long end = hold.getValue().end();
			if (end - now <= 0) {
				expire(hold.getKey());
				end = now + AGAIN_NANOS;
			}
			earliest = (end - earliest < 0) ? end : earliest;
			any = true;
		}
		if (any) {
			lookNoLaterThan((earliest - now < APART_NANOS) ? now + APART_NANOS : earliest);
		}
	}

	private boolean isOver(Id id) {
		Own own = this.holds.get(id);
		return own != null && own.end() - this.context.nanoTime() <= 0;
	}

	private void expire(Id id) {
		RecordCommand<Boolean> command = new RecordCommand<>(RecordCommand.Kind.CHANGE, this.context.deadline(),
				(state, time) -> {
					// A renewal may have been answered meanwhile.
					boolean over = isOver(id);
					if (over) {
						state.expire(id.request(), time);
					}
					return () -> over;
				});
		this.pipelines.submit(id.key(), command);
		command.answer().thenAccept((over) -> {
			if (over) {
				this.holds.remove(id);
			}
		});
	}

	/**
	 * A look for holds that are over.
	 *
	 * @param at the time of the look, in nanoseconds
	 */
	private record Look(long at) {
	}

	private record Id(String key, RequestId request) {
	}

	/**
	 * A hold.
	 *
	 * @param end end of its lease on this machine's clock, in nanoseconds
	 * @param firstToken the token with which the hold was granted
	 * @param unconfirmed whether a finish was sent that was not answered
	 */
	private record Own(long end, long firstToken, boolean unconfirmed) {
	}

}
