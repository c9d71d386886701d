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
 * Runs one attempt of a request. First a majority must grant the lock. Then a majority
 * must accept the highest of the granted tokens, before that token is used. So the next
 * request that gets a majority meets a node that knows the token. Both steps must end
 * within the lease, counted from before the first command was sent. Otherwise the attempt
 * is ended on all nodes.
 */
final class AcquireAttempt {

	private final Quorum quorum;

	private final AcquireCommand command;

	private final long begunAt;

	private final Undo undo;

	/** Ends the holds that nodes may have granted. */
	interface Undo {

		void begin(List<QuorumNode> nodes, String key, RequestId attempt);

	}

	/** How an attempt ended. */
	sealed interface Outcome {

		/** A majority granted the lock and accepted its token. */
		record Won(Win win) implements Outcome {
		}

		/**
		 * Another request holds the lock; the holder is {@code null} if it is unknown.
		 */
		record Refused(@Nullable Holder holder) implements Outcome {
		}

		/** The request had ended before this attempt. */
		record Ended() implements Outcome {
		}

	}

	/**
	 * Prepares an attempt.
	 * @param quorum the nodes
	 * @param command the command for each node
	 * @param begunAt when the lease begins
	 * @param undo ends what nodes have granted if the attempt fails
	 */
	AcquireAttempt(Quorum quorum, AcquireCommand command, long begunAt, Undo undo) {
		this.quorum = quorum;
		this.command = command;
		this.begunAt = begunAt;
		this.undo = undo;
	}

	/** Asks the nodes; fails if too few of them answer. */
	CompletableFuture<Outcome> run() {
		return this.quorum.ask((node) -> node.acquire(this.command), AcquireAttempt::decided).thenCompose((answers) -> {
			List<AcquireResult.Granted> grants = answers.all(AcquireResult.Granted.class);
			return answers.isMajority(grants.size()) ? raise(grants, answers)
					: CompletableFuture.completedFuture(refused(answers));
		});
	}

	private static boolean decided(QuorumAnswers<AcquireResult> answers) {
		int grants = answers.all(AcquireResult.Granted.class).size();
		return answers.isMajority(grants) || (!answers.mayBecomeMajority(grants) && answers.isMajority());
	}

	private CompletableFuture<Outcome> raise(List<AcquireResult.Granted> grants, QuorumAnswers<AcquireResult> answers) {
		long token = grants.stream().mapToLong((granted) -> granted.grant().fencingToken()).max().orElseThrow();
		List<QuorumNode> holding = answers.nodesWithout(AcquireAttempt::isRefusal);
		RequestId attempt = this.command.request();
		return new TokenRaise(this.command.key(), attempt, token, this.command.tokens()).run(this.quorum, holding)
			.thenApply((raised) -> {
				if (!raised.accepted()) {
					throw undone(holding, "raising the token", raised.failures());
				}
				if (Validity.isOver(this.begunAt, this.command.lease(), this.quorum.timer().nanoTime())) {
					throw undone(holding, "acquiring", raised.failures());
				}
				return new Outcome.Won(
						new Win(attempt, token, this.command.tokens(), this.begunAt, this.command.lease()));
			});
	}

	private LockStoreException undone(List<QuorumNode> holding, String what, List<NodeFailure> failures) {
		this.undo.begin(holding, this.command.key(), this.command.request());
		return this.quorum.noMajority(what, this.command.key(), failures);
	}

	private Outcome refused(QuorumAnswers<AcquireResult> answers) {
		// A node that refused has ended the request itself.
		List<QuorumNode> maybeHolding = answers.nodesWithout(AcquireAttempt::isRefusal);
		if (!answers.isMajority()) {
			throw undone(maybeHolding, "acquiring", answers.failures());
		}
		this.undo.begin(maybeHolding, this.command.key(), this.command.request());
		List<AcquireResult.Busy> busy = answers.all(AcquireResult.Busy.class);
		return busy.isEmpty() ? new Outcome.Ended() : new Outcome.Refused(holder(busy));
	}

	private static boolean isRefusal(AcquireResult result) {
		return result instanceof AcquireResult.Busy || result instanceof AcquireResult.Ended;
	}

	/**
	 * Returns the holder that most nodes name, because a single node may name one without
	 * a majority.
	 */
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
