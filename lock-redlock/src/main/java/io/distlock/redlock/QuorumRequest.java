package io.distlock.redlock;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.distlock.Holder;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * Holds a request of the engine and its attempts on the nodes. A node that refuses a
 * request does not accept its number again, so each attempt has a different number.
 */
final class QuorumRequest {

	/** Every request has fewer attempts, so that each number is unique on a node. */
	static final int ATTEMPTS = 1 << 16;

	private final RequestId request;

	private int attempts;

	private boolean finished;

	private boolean lost;

	private @Nullable CompletableFuture<AcquireResult> current;

	private @Nullable Win held;

	/** When the request can be forgotten. */
	private long overAt;

	private @Nullable Sight seen;

	/**
	 * Who had the lock at the last attempt.
	 *
	 * @param holder the holder, {@code null} if the nodes did not tell
	 * @param since when an attempt first saw it
	 */
	private record Sight(@Nullable Holder holder, long since) {
	}

	/**
	 * The grant of a majority.
	 *
	 * @param attempt the request as the nodes know it
	 * @param token the first token
	 * @param tokens how many consecutive tokens the grant has
	 * @param since when the lease begins, in nanoseconds of the monotonic clock
	 * @param lease the length of the lease
	 */
	record Win(RequestId attempt, long token, int tokens, long since, Duration lease) {

		/** Returns the grant as of the moment before the first command was sent. */
		Grant grant() {
			return grant(this.since, this.lease);
		}

		/**
		 * Returns the answer to a renewal, with the renewal's lease even if it is the
		 * shorter one.
		 */
		Grant grant(long sentAt, Duration asked) {
			long sent = TimeUnit.NANOSECONDS.toMillis(sentAt);
			return new Grant(this.token, this.tokens, sent + asked.toMillis(), sent);
		}

		/** Returns the grant as of now. */
		Grant grant(long now) {
			long moment = TimeUnit.NANOSECONDS.toMillis(now) + 1;
			return new Grant(this.token, this.tokens, grant().expiresAt(), moment);
		}

		/** Returns a copy with a later lease; nodes never shorten the lease. */
		Win renewed(long sentAt, Duration asked) {
			boolean longer = sentAt + asked.toNanos() - (this.since + this.lease.toNanos()) > 0;
			return longer ? new Win(this.attempt, this.token, this.tokens, sentAt, asked) : this;
		}

		/** Returns a copy with the given tokens. */
		Win withTokens(long first, int count) {
			return new Win(this.attempt, first, count, this.since, this.lease);
		}

		private boolean over(long now) {
			return now - this.since >= this.lease.toNanos();
		}

	}

	QuorumRequest(RequestId request, long overAt) {
		this.request = request;
		this.overAt = overAt;
	}

	/** Returns the engine's request to which an attempt belongs. */
	static RequestId ofAttempt(RequestId attempt) {
		return new RequestId(attempt.engine(), attempt.slot(), attempt.number() / ATTEMPTS);
	}

	/**
	 * Makes one attempt, unless the outcome is known or an attempt is running.
	 * @param attempt makes an attempt under the given id
	 * @param now the monotonic clock
	 * @return the answer
	 */
	CompletableFuture<AcquireResult> acquire(Function<RequestId, CompletableFuture<AcquireResult>> attempt, long now) {
		CompletableFuture<AcquireResult> answer = new CompletableFuture<>();
		RequestId next;
		synchronized (this) {
			if (this.current != null && !this.current.isDone()) {
				return this.current;
			}
			AcquireResult known = known(now);
			if (known != null) {
				return CompletableFuture.completedFuture(known);
			}
			this.attempts++;
			this.current = answer;
			next = attempt();
		}
		attempt.apply(next).whenComplete((result, error) -> {
			if (error != null) {
				answer.completeExceptionally(error);
			}
			else {
				answer.complete(heard(result));
			}
		});
		return answer;
	}

	/**
	 * Notes who has the lock.
	 * @param holder the holder, {@code null} if the nodes do not tell
	 * @param now the monotonic clock
	 * @return for how many nanoseconds the attempts have seen this holder
	 */
	synchronized long sees(@Nullable Holder holder, long now) {
		Sight last = this.seen;
		Sight sight = (last != null && Objects.equals(last.holder(), holder)) ? last : new Sight(holder, now);
		this.seen = sight;
		return now - sight.since();
	}

	private @Nullable AcquireResult known(long now) {
		if (this.finished || this.lost || this.attempts == ATTEMPTS - 1) {
			return new AcquireResult.Ended();
		}
		Win win = this.held;
		if (win == null) {
			return null;
		}
		return win.over(now) ? new AcquireResult.Ended() : new AcquireResult.Granted(win.grant(now), 0);
	}

	private synchronized AcquireResult heard(AcquireResult result) {
		if (!(result instanceof AcquireResult.Granted || result instanceof AcquireResult.Queued)) {
			this.finished = true;
		}
		return this.finished && result instanceof AcquireResult.Granted ? new AcquireResult.Ended() : result;
	}

	/** Records a grant or a renewal; the lease that ends later counts. */
	synchronized void won(Win win) {
		if (this.held == null || win.since - this.held.since >= 0) {
			this.held = win;
		}
	}

	/** Records that a majority of the nodes does not know the hold. */
	synchronized void lost() {
		this.lost = true;
	}

	/** Returns the hold, or {@code null} if the request does not hold the lock. */
	synchronized @Nullable Win held() {
		return this.finished ? null : this.held;
	}

	/**
	 * Marks the request as ended.
	 * @return the attempt that the nodes must end
	 */
	synchronized RequestId finish() {
		this.finished = true;
		if (this.attempts == 0) {
			this.attempts = 1;
		}
		return attempt();
	}

	private RequestId attempt() {
		return new RequestId(this.request.engine(), this.request.slot(),
				this.request.number() * ATTEMPTS + this.attempts);
	}

	/** Records that the request may hold the lock on some node until the given time. */
	synchronized void mayHoldUntil(long moment) {
		if (moment - this.overAt > 0) {
			this.overAt = moment;
		}
	}

	/**
	 * Records that the request holds nothing; it is remembered because late copies may
	 * arrive.
	 */
	synchronized void holdsNothing(long rememberUntil) {
		if (rememberUntil - this.overAt < 0) {
			this.overAt = rememberUntil;
		}
	}

	synchronized long overAt() {
		return this.overAt;
	}

}
