package io.distlock.redlock;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.distlock.redlock.QuorumRequest.Win;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;

/**
 * A {@link RedlockStore} between start and stop: the verbs, each decided by a majority.
 */
final class RunningQuorum {

	/** What a request may hold of which nothing is known. */
	private static final Duration UNKNOWN_LEASE = Duration.ofMinutes(1);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

	private final Quorum quorum;

	private final RedlockSettings settings;

	private final DoubleSupplier random;

	private final QuorumRequests requests = new QuorumRequests();

	private final Map<QuorumNode, NodeFinishes> finishes;

	private volatile boolean stopped;

	RunningQuorum(Quorum quorum, RedlockSettings settings, DoubleSupplier random) {
		this.quorum = quorum;
		this.settings = settings;
		this.random = random;
		this.finishes = quorum.nodes().stream().collect(Collectors.toMap(Function.identity(), NodeFinishes::new));
		planVisit();
	}

	CompletableFuture<AcquireResult> acquire(AcquireCommand command) {
		long now = now();
		QuorumRequest request = this.requests.get(command.key(), command.request(), overAt(now, command.lease()));
		return request.acquire((attempt) -> attempt(command, attempt, now).thenApply((outcome) -> {
			if (outcome.win() != null) {
				request.won(outcome.win());
			}
			else if (outcome.ended() || !command.queue()) {
				request.holdsNothing(now() + remembered());
			}
			return answer(outcome, command, attempt);
		}), now);
	}

	private CompletableFuture<AcquireAttempt.Outcome> attempt(AcquireCommand command, RequestId attempt, long now) {
		AcquireCommand forNodes = new AcquireCommand(command.key(), attempt, command.lease(), command.sharing(), false,
				command.tokens(), this.settings.nodeTimeout(), command.holder());
		return new AcquireAttempt(this.quorum, forNodes, now, (nodes, key, ended) -> {
			long until = overAt(now(), command.lease());
			nodes.forEach((node) -> end(node, key, ended, until));
		}).run();
	}

	private AcquireResult answer(AcquireAttempt.Outcome outcome, AcquireCommand command, RequestId attempt) {
		if (outcome.win() != null) {
			return new AcquireResult.Granted(outcome.win().grant(), 0);
		}
		if (outcome.ended()) {
			return new AcquireResult.Ended();
		}
		return command.queue()
				? new AcquireResult.Queued(Duration.ofNanos(now()).toMillis(), pause(attempt), outcome.holder())
				: new AcquireResult.Busy(outcome.holder());
	}

	/**
	 * By chance and not in step, or else those who share the nodes out between them would
	 * do so again; longer and longer, as the holder may take its time.
	 */
	private Duration pause(RequestId attempt) {
		int doublings = (int) Math.min(attempt.number() % QuorumRequest.ATTEMPTS, 3);
		long ceiling = this.settings.retryInterval().toNanos() >> (3 - doublings);
		return SHORTEST_PAUSE.plusNanos((long) (ceiling * this.random.getAsDouble()));
	}

	CompletableFuture<FinishResult> finish(String key, RequestId request) {
		QuorumRequest known = this.requests.find(key, request);
		QuorumRequest ending = (known != null) ? known : this.requests.get(key, request, overAt(now(), UNKNOWN_LEASE));
		RequestId attempt = ending.finish();
		long until = ending.overAt();
		return this.quorum.ask((node) -> end(node, key, attempt, until), Finish::decided).thenApply((tally) -> {
			requireMajority("finishing", key, tally);
			// Remembered for a while, so that a repetition gets the same answer.
			ending.holdsNothing(now() + remembered());
			return Finish.result(tally, this.quorum.nodes().size());
		});
	}

	private CompletionStage<FinishResult> end(QuorumNode node, String key, RequestId attempt, long until) {
		return finishes(node).begin(key, attempt, until, now() + this.settings.nodeTimeout().toNanos());
	}

	CompletableFuture<RenewResult> renew(RenewCommand command) {
		QuorumRequest request = this.requests.find(command.key(), command.request());
		Win held = (request != null) ? request.held() : null;
		if (request == null || held == null) {
			return CompletableFuture.completedFuture(new RenewResult.Gone());
		}
		long begunAt = now();
		request.mayHoldUntil(overAt(begunAt, command.lease()));
		return new RenewAttempt(this.quorum, command, begunAt).run(held).thenApply((win) -> {
			if (win == null) {
				return new RenewResult.Gone();
			}
			request.won(win);
			return new RenewResult.Renewed(win.grant(begunAt, command.lease()), 0);
		});
	}

	CompletableFuture<LockSnapshot> inspect(String key) {
		return this.quorum.ask((node) -> node.inspect(key), (tally) -> false).thenApply((tally) -> {
			requireMajority("inspecting", key, tally);
			return MajorityView.of(key, tally.answers(), this.quorum.majority());
		});
	}

	private void requireMajority(String verb, String key, Tally<?> tally) {
		if (!tally.isMajority(tally.answers().size())) {
			throw QuorumException.noMajority(verb, key, this.quorum.nodes().size(), tally.failures());
		}
	}

	void stop() {
		this.stopped = true;
		this.quorum.timer().stop();
		this.quorum.nodes().forEach(QuorumNode::stop);
	}

	boolean isIdle() {
		return this.requests.size() == 0 && this.finishes.values().stream().allMatch(NodeFinishes::isEmpty);
	}

	private void planVisit() {
		this.quorum.timer().later(this.settings.nodeTimeout(), this::visit);
	}

	private void visit() {
		long now = now();
		this.requests.forget(now);
		this.finishes.values().forEach((each) -> each.repeat(now, now + this.settings.commandTimeout().toNanos()));
		if (!this.stopped) {
			planVisit();
		}
	}

	private NodeFinishes finishes(QuorumNode node) {
		return Objects.requireNonNull(this.finishes.get(node));
	}

	/**
	 * When a request is over on every node by itself: a copy under way is refused after
	 * the timeout, and what it took before ends with the lease.
	 */
	private long overAt(long now, Duration lease) {
		return now + 2 * this.settings.commandTimeout().toNanos() + lease.toNanos();
	}

	private long remembered() {
		return 2 * this.settings.commandTimeout().toNanos();
	}

	private long now() {
		return this.quorum.timer().nanoTime();
	}

}
