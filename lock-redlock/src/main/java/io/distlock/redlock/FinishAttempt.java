package io.distlock.redlock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import io.distlock.spi.FinishResult;

/**
 * Ends a request on all nodes; the request holds nothing once a majority has answered.
 */
final class FinishAttempt {

	private final Quorum quorum;

	private final String key;

	private final Function<QuorumNode, CompletionStage<FinishResult>> finish;

	/**
	 * Prepares to end a request.
	 * @param quorum the nodes
	 * @param key the lock
	 * @param finish ends the request on a node
	 */
	FinishAttempt(Quorum quorum, String key, Function<QuorumNode, CompletionStage<FinishResult>> finish) {
		this.quorum = quorum;
		this.key = key;
		this.finish = finish;
	}

	/** Asks the nodes; fails if no majority answers. */
	CompletableFuture<FinishResult> run() {
		return this.quorum.ask(this.finish, FinishAttempt::decided).thenApply((answers) -> {
			if (!answers.isMajority()) {
				throw this.quorum.noMajority("finishing", this.key, answers.failures());
			}
			return result(answers);
		});
	}

	private static boolean decided(QuorumAnswers<FinishResult> answers) {
		return answers.isMajority(count(answers, FinishResult.RELEASED))
				|| answers.isMajority(count(answers, FinishResult.UNKNOWN));
	}

	/**
	 * Combines the answers; counts a node without an answer as a node that held the lock.
	 */
	private FinishResult result(QuorumAnswers<FinishResult> answers) {
		int silent = this.quorum.nodes().size() - answers.all().size();
		int released = count(answers, FinishResult.RELEASED);
		int expired = count(answers, FinishResult.EXPIRED);
		if (released > 0 && answers.isMajority(released + silent)) {
			return FinishResult.RELEASED;
		}
		if (count(answers, FinishResult.FORCED) > 0) {
			return FinishResult.FORCED;
		}
		return (released + expired > 0 && answers.isMajority(released + expired + silent)) ? FinishResult.EXPIRED
				: FinishResult.UNKNOWN;
	}

	private static int count(QuorumAnswers<FinishResult> answers, FinishResult result) {
		return answers.count((answer) -> answer == result);
	}

}
