package io.distlock.records;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.distlock.internal.state.StateRules;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.KeyText;

/**
 * What this process was granted and has not finished: to end holds on time where no clock
 * of the place does, and to tell what a lost write has ended.
 */
final class OwnHolds {

	private static final Duration AGAIN = Duration.ofSeconds(1);

	private final Map<Id, Own> holds = new ConcurrentHashMap<>();

	private final Lanes lanes;

	private final LaneContext context;

	OwnHolds(Lanes lanes) {
		this.lanes = lanes;
		this.context = lanes.context();
	}

	/** The answer to an acquisition, for as long as the life of this process is sure. */
	Supplier<AcquireResult> answer(AcquireCommand command, String life, Supplier<AcquireResult> computed) {
		return () -> {
			AcquireResult result = computed.get();
			if (!(result instanceof AcquireResult.Granted granted)) {
				return result;
			}
			Grant sure = sure(command.key(), granted.grant(), life);
			granted(new Id(command.key(), command.request()), granted.grant());
			return new AcquireResult.Granted(sure, granted.waiters());
		};
	}

	/** The answer to a renewal, for as long as the life of this process is sure. */
	Supplier<RenewResult> answer(RenewCommand command, String life, Supplier<RenewResult> computed) {
		return () -> {
			RenewResult result = computed.get();
			if (!(result instanceof RenewResult.Renewed renewed)) {
				this.holds.remove(new Id(command.key(), command.request()));
				return result;
			}
			Grant sure = sure(command.key(), renewed.grant(), life);
			granted(new Id(command.key(), command.request()), renewed.grant());
			return new RenewResult.Renewed(sure, renewed.waiters());
		};
	}

	/** The answer to a finish; who does not know the hold may have ended it before. */
	Supplier<FinishResult> ending(String key, RequestId request, Supplier<FinishResult> computed) {
		return () -> {
			FinishResult result = computed.get();
			Own own = this.holds.remove(new Id(key, request));
			boolean ended = own != null && own.unconfirmed() && own.end() - this.context.nanoTime() > 0;
			return (result == FinishResult.UNKNOWN && ended) ? FinishResult.RELEASED : result;
		};
	}

	/** A finish may have been executed, or not. */
	void endUnconfirmed(String key, RequestId request) {
		this.holds.computeIfPresent(new Id(key, request), (id, own) -> new Own(own.end(), own.firstToken(), true));
	}

	/** A grant that ends with what is sure of the life of this process. */
	Grant limited(Grant grant, long sureNanos) {
		long expiresAt = Math.min(grant.expiresAt(), grant.storeTime() + TimeUnit.NANOSECONDS.toMillis(sureNanos));
		return new Grant(grant.fencingToken(), grant.tokens(), expiresAt, grant.storeTime());
	}

	/**
	 * Forgets everything; what is to be ended later is left to the end of the session.
	 */
	void clear() {
		this.holds.clear();
	}

	private Grant sure(String key, Grant grant, String life) {
		long sure = this.context.records().remainingNanos(life);
		if (sure == Long.MAX_VALUE) {
			return grant;
		}
		if (sure <= 0) {
			throw new TransientStoreException(key, "Lock '" + KeyText.of(key) + "' in "
					+ this.context.records().describe() + ": the session of this process may be over", null);
		}
		return limited(grant, sure);
	}

	private void granted(Id id, Grant grant) {
		long end = this.context.nanoTime() + TimeUnit.MILLISECONDS.toNanos(grant.remainingMillis());
		Own first = new Own(end, grant.fencingToken(), false);
		Own now = this.holds.merge(id, first, (known, later) -> new Own(end, known.firstToken(), false));
		if (now == first && this.context.rules().ends() == StateRules.Ends.WITH_SESSION) {
			watch(id, Duration.ofMillis(grant.remainingMillis()));
		}
	}

	/**
	 * The lowest token of a hold. A renewal that reserved tokens replaced those in the
	 * record, while a thread may still have an earlier one.
	 */
	long firstToken(String key, RequestId request, long recorded) {
		Own own = this.holds.get(new Id(key, request));
		// mutant: renewed-tokens
		return (own != null) ? Math.min(own.firstToken(), recorded) : recorded;
	}

	/** The session outlasts the lease, so this process ends it. */
	private void watch(Id id, Duration delay) {
		this.context.scheduler().schedule(delay, () -> {
			Own own = this.holds.get(id);
			if (own != null) {
				long left = own.end() - this.context.nanoTime();
				if (left > 0) {
					watch(id, Duration.ofNanos(left));
				}
				else {
					expire(id);
				}
			}
		});
	}

	private void expire(Id id) {
		LaneJob<Boolean> job = new LaneJob<>(LaneJob.Kind.CHANGE, this.context.deadline(), (state, moment) -> {
			state.expire(id.request(), moment);
			return () -> true;
		});
		this.lanes.submit(id.key(), job);
		job.answer().whenComplete((done, failure) -> {
			if (failure == null) {
				this.holds.remove(id);
			}
			else {
				watch(id, AGAIN);
			}
		});
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
