package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.distlock.spi.FinishResult;
import io.distlock.spi.RequestId;

/**
 * Ends requests on one node. Repeats each command until the node confirms it or the lease
 * is over. So a node that was away does not keep a lock without a holder.
 */
final class NodeFinishes {

	/**
	 * Limits how many commands are repeated at a time, to spare a node that comes back.
	 */
	private static final int BATCH = 200;

	private final Map<Participant, Pending> pending = new ConcurrentHashMap<>();

	private final QuorumNode node;

	private final LongSupplier nanoTime;

	/**
	 * Identifies an engine, or one of its slots; the end of a request also ends all
	 * earlier ones.
	 */
	private record Participant(String key, String engine, int slot) {

		static Participant of(String key, RequestId request) {
			return new Participant(key, request.engine(), request.slot());
		}

	}

	/** Holds the latest request of a participant. */
	private record Pending(RequestId request, long keepUntil, long until, long nextSend) {

		Pending mergedWith(Pending other) {
			Pending later = (other.request.number() > this.request.number()) ? other : this;
			long longer = (other.until - this.until > 0) ? other.until : this.until;
			return new Pending(later.request, later.keepUntil, longer, other.nextSend);
		}

	}

	NodeFinishes(QuorumNode node, LongSupplier nanoTime) {
		this.node = node;
		this.nanoTime = nanoTime;
	}

	/**
	 * Ends a request now and, if necessary, again later.
	 * @param key the lock
	 * @param request the request
	 * @param keepUntil until when the node keeps the hold of the request
	 * @param until when the request is over even if no command ends it
	 * @param nextSend when to repeat the command if there is no answer
	 * @return the answer to the first try
	 */
	CompletionStage<FinishResult> begin(String key, RequestId request, long keepUntil, long until, long nextSend) {
		Participant participant = Participant.of(key, request);
		this.pending.merge(participant, new Pending(request, keepUntil, until, nextSend), Pending::mergedWith);
		return send(participant, request, keepUntil);
	}

	private CompletionStage<FinishResult> send(Participant participant, RequestId request, long keepUntil) {
		CompletionStage<FinishResult> answer;
		try {
			answer = this.node.finish(participant.key(), request, keepFor(keepUntil));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return answer.thenApply((result) -> {
			this.pending.computeIfPresent(participant,
					(same, known) -> (known.request().number() <= request.number()) ? null : known);
			return result;
		});
	}

	/** Rounds to whole milliseconds, because nodes count in milliseconds. */
	private Duration keepFor(long keepUntil) {
		long left = keepUntil - this.nanoTime.getAsLong();
		return (left > 0) ? Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(left - 1) + 1) : Duration.ZERO;
	}

	/**
	 * Repeats the commands that are due, and drops the commands whose time is over.
	 * @param now the monotonic clock
	 * @param nextSend when to repeat the same commands again
	 */
	void repeat(long now, long nextSend) {
		this.pending.values().removeIf((each) -> now - each.until() >= 0);
		List<Participant> due = new ArrayList<>();
		this.pending.forEach((participant, each) -> {
			if (due.size() < BATCH && now - each.nextSend() >= 0) {
				due.add(participant);
			}
		});
		for (Participant participant : due) {
			Pending again = this.pending.computeIfPresent(participant,
					(same, known) -> new Pending(known.request(), known.keepUntil(), known.until(), nextSend));
			if (again != null) {
				send(participant, again.request(), again.keepUntil());
			}
		}
	}

	boolean isEmpty() {
		return this.pending.isEmpty();
	}

}
