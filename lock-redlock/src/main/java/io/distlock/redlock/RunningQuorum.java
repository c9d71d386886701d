package io.distlock.redlock;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.distlock.redlock.AcquireAttempt.Outcome;
import io.distlock.redlock.QuorumRequest.Win;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.ListCommand;
import io.distlock.spi.LockPage;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.support.LoopGuard;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link RedlockStore} between start and stop. A majority decides each verb. The
 * object remembers the requests of this process that may hold a lock or that ended a
 * moment ago.
 */
final class RunningQuorum {

	/** The longest lease that an unknown request may have. */
	static final Duration UNKNOWN_LEASE = Duration.ofMinutes(1);

	private static final Duration SHORTEST_PAUSE = Duration.ofMillis(1);

	/** A waiter asks about once a second at least. */
	private static final Duration LONGEST_PAUSE = Duration.ofMillis(1500);

	/** The longest pause is this part of the time for which the holder is the same. */
	private static final int PART = 10;

	private final Quorum quorum;

	private final RedlockSettings settings;

	private final DoubleSupplier random;

	private final Map<Id, QuorumRequest> requests = new ConcurrentHashMap<>();

	private final Map<QuorumNode, NodeFinishes> finishes;

	private final LoopGuard guard = new LoopGuard("distributed-lock-redlock");

	private final Runnable plan = this::planVisit;

	private volatile boolean stopped;

	private record Id(String key, RequestId request) {
	}

	RunningQuorum(Quorum quorum, RedlockSettings settings, DoubleSupplier random) {
		this.quorum = quorum;
		this.settings = settings;
		this.random = random;
		this.finishes = quorum.nodes()
			.stream()
			.collect(Collectors.toMap(Function.identity(), (node) -> new NodeFinishes(node, this::now)));
		planVisit();
	}

	CompletableFuture<AcquireResult> acquire(AcquireCommand command) {
		long now = now();
		QuorumRequest request = request(command.key(), command.request(), overAt(now, command.lease()));
		return request.acquire((attempt) -> attempt(command, attempt, now).thenApply((outcome) -> {
			if (outcome instanceof Outcome.Won won) {
				request.won(won.win());
			}
			else if (outcome instanceof Outcome.Ended || !command.queue()) {
				request.holdsNothing(now() + remembered());
			}
			return answer(outcome, command, attempt, request);
		}), now);
	}

	private CompletableFuture<Outcome> attempt(AcquireCommand command, RequestId attempt, long now) {
		AcquireCommand forNodes = new AcquireCommand(command.key(), attempt, command.lease(), command.sharing(), false,
				command.tokens(), this.settings.nodeTimeout(), command.holder());
		return new AcquireAttempt(this.quorum, forNodes, now, (nodes, key, ended) -> {
			long until = overAt(now(), command.lease());
			nodes.forEach((node) -> finish(node, key, ended, now(), until));
		}).run();
	}

	private AcquireResult answer(Outcome outcome, AcquireCommand command, RequestId attempt, QuorumRequest request) {
		if (outcome instanceof Outcome.Won won) {
			return new AcquireResult.Granted(won.win().grant(), 0);
		}
		if (outcome instanceof Outcome.Refused refused) {
			if (!command.queue()) {
				return new AcquireResult.Busy(refused.holder());
			}
			long now = now();
			Duration pause = pause(attempt, request.sees(refused.holder(), now));
			return new AcquireResult.Queued(Duration.ofNanos(now).toMillis(), pause, refused.holder());
		}
		return new AcquireResult.Ended();
	}

	/**
	 * Returns a random pause, because processes that retried at the same time would split
	 * the nodes among them again. Pauses grow with the attempts, because the holder may
	 * need the lock for long. While the holder stays the same they grow further, with the
	 * time for which it has had the lock.
	 */
	private Duration pause(RequestId attempt, long unchanged) {
		int doublings = (int) Math.min(attempt.number() % QuorumRequest.ATTEMPTS, 3);
		long usual = this.settings.retryInterval().toNanos() >> (3 - doublings);
		long ceiling = Math.max(usual, Math.min(unchanged / PART, LONGEST_PAUSE.toNanos()));
		return SHORTEST_PAUSE.plusNanos((long) (ceiling * this.random.getAsDouble()));
	}

	CompletableFuture<FinishResult> finish(String key, RequestId request, Duration keepFor) {
		QuorumRequest known = find(key, request);
		QuorumRequest ending = (known != null) ? known : request(key, request, overAt(now(), UNKNOWN_LEASE));
		RequestId attempt = ending.finish();
		long keepUntil = now() + keepFor.toNanos();
		long until = ending.overAt();
		return new FinishAttempt(this.quorum, key, (node) -> finish(node, key, attempt, keepUntil, until)).run()
			.thenApply((result) -> {
				// The request is remembered for a while, so that a repetition gets the
				// same answer.
				ending.holdsNothing(now() + remembered());
				return result;
			});
	}

	private CompletionStage<FinishResult> finish(QuorumNode node, String key, RequestId attempt, long keepUntil,
			long until) {
		return Objects.requireNonNull(this.finishes.get(node))
			.begin(key, attempt, keepUntil, until, now() + this.settings.nodeTimeout().toNanos());
	}

	CompletableFuture<RenewResult> renew(RenewCommand command) {
		QuorumRequest request = find(command.key(), command.request());
		Win held = (request != null) ? request.held() : null;
		if (request == null || held == null) {
			return CompletableFuture.completedFuture(new RenewResult.Gone(false));
		}
		long begunAt = now();
		request.mayHoldUntil(overAt(begunAt, command.lease()));
		return new RenewAttempt(this.quorum, command, begunAt).run(held).thenApply((outcome) -> {
			if (outcome instanceof RenewAttempt.Outcome.Renewed renewed) {
				request.won(renewed.win());
				return new RenewResult.Renewed(renewed.win().grant(begunAt, command.lease()), 0);
			}
			request.lost();
			return new RenewResult.Gone(((RenewAttempt.Outcome.Lost) outcome).forced());
		});
	}

	CompletableFuture<LockSnapshot> inspect(String key) {
		return this.quorum.ask((node) -> node.inspect(key), (answers) -> false).thenApply((answers) -> {
			if (!answers.isMajority()) {
				throw this.quorum.noMajority("inspecting", key, answers.failures());
			}
			return MajorityView.of(key, answers.all(), this.quorum.majority());
		});
	}

	/**
	 * Ends holds on all nodes, even if the nodes granted different attempts of a request.
	 * A hold is over once a majority no longer has it.
	 */
	CompletableFuture<Set<RequestId>> forceRelease(ForceReleaseCommand command) {
		return this.quorum.ask((node) -> forceRelease(node, command), (answers) -> false).thenApply((answers) -> {
			if (!answers.isMajority()) {
				throw this.quorum.noMajority("releasing by force", command.key(), answers.failures());
			}
			return answers.all().stream().flatMap(Set::stream).collect(Collectors.toSet());
		});
	}

	private static CompletionStage<Set<RequestId>> forceRelease(QuorumNode node, ForceReleaseCommand command) {
		return node.inspect(command.key()).thenCompose((seen) -> {
			Set<RequestId> attempts = seen.holds()
				.stream()
				.map(LockSnapshot.Hold::request)
				.filter((attempt) -> command.holds().contains(QuorumRequest.ofAttempt(attempt)))
				.collect(Collectors.toSet());
			return node.forceRelease(new ForceReleaseCommand(command.key(), attempts))
				.thenApply((ended) -> ended.stream().map(QuorumRequest::ofAttempt).collect(Collectors.toSet()));
		});
	}

	CompletableFuture<LockPage> list(ListCommand command) {
		return new QuorumList(this.quorum, command).run();
	}

	void stop() {
		this.stopped = true;
		this.quorum.timer().stop();
		this.quorum.nodes().forEach(QuorumNode::stop);
	}

	boolean isIdle() {
		return this.requests.isEmpty() && this.finishes.values().stream().allMatch(NodeFinishes::isEmpty);
	}

	private void planVisit() {
		this.quorum.timer().later(this.settings.nodeTimeout(), this::visit);
	}

	private void visit() {
		try {
			long now = now();
			forget(now);
			this.finishes.values().forEach((each) -> each.repeat(now, now + this.settings.commandTimeout().toNanos()));
		}
		finally {
			// The next visit is planned even after an error; otherwise requests would
			// pile up for ever.
			while (!this.stopped && !this.guard.run(this.plan)) {
				LockSupport.parkNanos(LoopGuard.PAUSE.toNanos());
			}
		}
	}

	/**
	 * Finds or creates a request that may hold the lock on some node.
	 * @param key the lock
	 * @param request the engine's request
	 * @param until until when it may hold the lock, in nanoseconds of the monotonic clock
	 * @return the request with its known state
	 */
	QuorumRequest request(String key, RequestId request, long until) {
		return this.requests.compute(new Id(key, request), (id, known) -> {
			if (known == null) {
				return new QuorumRequest(request, until);
			}
			known.mayHoldUntil(until);
			return known;
		});
	}

	@Nullable QuorumRequest find(String key, RequestId request) {
		return this.requests.get(new Id(key, request));
	}

	/** Forgets requests that are over, except requests that were just repeated. */
	void forget(long now) {
		this.requests.forEach((id, request) -> {
			if (isOver(request, now)) {
				this.requests.computeIfPresent(id, (same, known) -> isOver(known, now) ? null : known);
			}
		});
	}

	private static boolean isOver(QuorumRequest request, long now) {
		return now - request.overAt() >= 0;
	}

	/**
	 * Returns when a request is over on every node even if no command ends it. Nodes
	 * refuse a copy under way after the timeout, and an earlier grant ends with its
	 * lease.
	 */
	private long overAt(long now, Duration lease) {
		return now + remembered() + lease.toNanos();
	}

	private long remembered() {
		// A command may wait that long for the connection to the slowest node.
		return 2 * this.settings.commandTimeout().toNanos() + this.quorum.first().ofSlowest().toNanos();
	}

	/** Returns how much longer an answer may take while the nodes connect. */
	Duration connecting() {
		return this.quorum.first().left();
	}

	private long now() {
		return this.quorum.timer().nanoTime();
	}

}
