package io.distlock.redlock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * A request of the engine, and the requests that stand for it on the nodes: a refusal
 * uses up its number there, so each attempt has one of its own.
 */
final class QuorumRequest {

	/** How many attempts there are numbers for. */
	static final int ATTEMPTS = 1 << 16;

	private final RequestId request;

	private int attempts;

	private boolean finished;

	private @Nullable CompletableFuture<AcquireResult> current;

	private @Nullable Win held;

	/** From when on nothing of this is of interest any more. */
	private long overAt;

	/**
	 * What a majority granted.
	 *
	 * @param attempt the request as the nodes know it
	 * @param token the first token
	 * @param tokens how many there are from there
	 * @param since when it was asked for, in nanoseconds of our clock
	 * @param lease for how long from then
	 */
	record Win(RequestId attempt, long token, int tokens, long since, Duration lease) {

		/** The lease begins before the first command was sent, so that is the moment. */
		Grant grant() {
			return grant(this.since, this.lease);
		}

		/** The answer to a renewal, which is about its lease, be it shorter than ours. */
		Grant grant(long sentAt, Duration asked) {
			long sent = TimeUnit.NANOSECONDS.toMillis(sentAt);
			return new Grant(this.token, this.tokens, sent + asked.toMillis(), sent);
		}

		/** The same, as seen by somebody who asks now. */
		Grant grant(long now) {
			long moment = TimeUnit.NANOSECONDS.toMillis(now) + 1;
			return new Grant(this.token, this.tokens, grant().expiresAt(), moment);
		}

		/** With another lease from a later moment on; the nodes never make it shorter. */
		Win renewed(long sentAt, Duration asked) {
			boolean longer = sentAt + asked.toNanos() - (this.since + this.lease.toNanos()) > 0;
			return longer ? new Win(this.attempt, this.token, this.tokens, sentAt, asked) : this;
		}

		/** With more tokens. */
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

	/** The engine's request behind the one that a node knows. */
	static RequestId ofAttempt(RequestId attempt) {
		return new RequestId(attempt.engine(), attempt.slot(), attempt.number() / ATTEMPTS);
	}

	/**
	 * Tries once, unless the outcome is known or being found out.
	 * @param attempt tries, under a name for the nodes
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

	private @Nullable AcquireResult known(long now) {
		if (this.finished || this.attempts == ATTEMPTS - 1) {
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

	/** The lock is ours, or is so for longer; what came later counts. */
	synchronized void won(Win win) {
		if (this.held == null || win.since - this.held.since >= 0) {
			this.held = win;
		}
	}

	/** What it holds, or {@code null} if nothing, or nothing any more. */
	synchronized @Nullable Win held() {
		return this.finished ? null : this.held;
	}

	/**
	 * From now on it can hold nothing.
	 * @return what to end on the nodes
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

	/** It may hold the lock on some node until then. */
	synchronized void mayHoldUntil(long moment) {
		if (moment - this.overAt > 0) {
			this.overAt = moment;
		}
	}

	/** It holds nothing; it is remembered for late copies. */
	synchronized void holdsNothing(long rememberUntil) {
		if (rememberUntil - this.overAt < 0) {
			this.overAt = rememberUntil;
		}
	}

	synchronized long overAt() {
		return this.overAt;
	}

}
