package io.distlock.redlock;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.distlock.spi.RequestId;

/**
 * Makes the second step of an attempt: raises the token of a hold, so that a majority of
 * the nodes knows the token before it is used.
 *
 * @param key the lock
 * @param attempt the request as the nodes know it
 * @param token the first token
 * @param tokens how many consecutive tokens the hold has
 */
record TokenRaise(String key, RequestId attempt, long token, int tokens) {

	/**
	 * Holds the outcome.
	 *
	 * @param accepted whether a majority accepted the token
	 * @param failures why nodes did not answer
	 */
	record Result(boolean accepted, List<NodeFailure> failures) {
	}

	/**
	 * Asks the given nodes; a majority of the quorum must accept the token.
	 */
	CompletableFuture<Result> run(Quorum quorum, List<QuorumNode> some) {
		return quorum
			.ask(some, (node) -> node.raise(this.key, this.attempt, this.token, this.tokens), TokenRaise::decided)
			.thenApply((answers) -> new Result(answers.isMajority(accepted(answers)), answers.failures()));
	}

	private static boolean decided(QuorumAnswers<Boolean> answers) {
		int accepted = accepted(answers);
		return answers.isMajority(accepted) || !answers.mayBecomeMajority(accepted);
	}

	private static int accepted(QuorumAnswers<Boolean> answers) {
		return answers.count((accepted) -> accepted);
	}

}
