package io.distlock.redlock;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

import io.distlock.Holder;
import io.distlock.LockStoreException;
import io.distlock.redlock.QuorumRequest.Win;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.RequestId;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a request. First a majority must grant; then a majority must accept the
 * highest of its tokens, before that token is used: so the next one who gets a majority
 * meets a node that knows it. All of that within the lease, counted from before the first
 * command was sent. Otherwise all nodes are told that it is over.
 */
final class AcquireAttempt {

	private final Quorum quorum;

	private final AcquireCommand command;

	private final long begunAt;

	private final Undo undo;

	/** Ends what a node may have granted. */
	interface Undo {

		void begin(List<QuorumNode> nodes, String key, RequestId attempt);

	}

	/**
	 * How it ended.
	 *
	 * @param win what was won, or {@code null}
	 * @param ended whether the request was over before
	 * @param holder who holds the lock, as far as known
	 */
	record Outcome(@Nullable Win win, boolean ended, @Nullable Holder holder) {
	}

	/**
	 * Prepares an attempt.
	 * @param quorum who decides
	 * @param command what to ask the nodes for
	 * @param begunAt from when on the lease counts
	 * @param undo ends what was granted for nothing
	 */
	AcquireAttempt(Quorum quorum, AcquireCommand command, long begunAt, Undo undo) {
		this.quorum = quorum;
		this.command = command;
		this.begunAt = begunAt;
		this.undo = undo;
	}

	/** Asks the nodes; fails if too few of them answer. */
	CompletableFuture<Outcome> run() {
		return this.quorum.ask((node) -> node.acquire(this.command), AcquireAttempt::granted).thenCompose((tally) -> {
			List<AcquireResult.Granted> grants = tally.answers(AcquireResult.Granted.class);
			return tally.isMajority(grants.size()) ? agree(grants, tally)
					: CompletableFuture.completedFuture(refused(tally));
		});
	}

	private static boolean granted(Tally<AcquireResult> tally) {
		int grants = tally.answers(AcquireResult.Granted.class).size();
		return tally.isMajority(grants) || (!tally.mayBeMajority(grants) && tally.isMajority(tally.answers().size()));
	}

	private CompletableFuture<Outcome> agree(List<AcquireResult.Granted> grants, Tally<AcquireResult> tally) {
		long token = grants.stream().mapToLong((granted) -> granted.grant().fencingToken()).max().orElseThrow();
		List<QuorumNode> holding = tally.nodesBut(AcquireAttempt::refusal);
		return this.quorum
			.ask(holding,
					(node) -> node.raise(this.command.key(), this.command.request(), token, this.command.tokens()),
					Raise::decided)
			.thenApply((raised) -> {
				if (!Raise.accepted(raised)) {
					throw lost(holding, "raising the token", raised.failures());
				}
				if (Validity.over(this.begunAt, this.command.lease(), this.quorum.timer().nanoTime())) {
					throw lost(holding, "acquiring", raised.failures());
				}
				return new Outcome(new Win(this.command.request(), token, this.command.tokens(), this.begunAt,
						this.command.lease()), false, null);
			});
	}

	private LockStoreException lost(List<QuorumNode> holding, String what, List<NodeFailure> failures) {
		this.undo.begin(holding, this.command.key(), this.command.request());
		return QuorumException.noMajority(what, this.command.key(), this.quorum.nodes().size(), failures);
	}

	private Outcome refused(Tally<AcquireResult> tally) {
		// A node that refused has ended the request itself.
		List<QuorumNode> maybeHolding = tally.nodesBut(AcquireAttempt::refusal);
		List<AcquireResult.Busy> busy = tally.answers(AcquireResult.Busy.class);
		if (!tally.isMajority(tally.answers().size())) {
			throw lost(maybeHolding, "acquiring", tally.failures());
		}
		this.undo.begin(maybeHolding, this.command.key(), this.command.request());
		return new Outcome(null, busy.isEmpty(), holder(busy));
	}

	private static boolean refusal(AcquireResult result) {
		return result instanceof AcquireResult.Busy || result instanceof AcquireResult.Ended;
	}

	/** Whom most nodes name: some may know of one who got no majority. */
	private static @Nullable Holder holder(List<AcquireResult.Busy> busy) {
		return busy.stream()
			.map(AcquireResult.Busy::holder)
			.filter(Objects::nonNull)
			.collect(Collectors.groupingBy(Holder::instance))
			.values()
			.stream()
			.max(Comparator.comparingInt(List::size))
			.map((same) -> same.get(0))
			.orElse(null);
	}

}
