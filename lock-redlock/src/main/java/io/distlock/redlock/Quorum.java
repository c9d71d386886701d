package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

import io.distlock.LockStoreException;

/**
 * Holds the nodes that decide together.
 *
 * @param nodes all nodes
 * @param nodeTimeout how long each node may take to answer
 * @param first the extra time while the nodes connect for the first time
 * @param timer the clock and the delayed actions
 */
record Quorum(List<QuorumNode> nodes, Duration nodeTimeout, FirstConnections first, QuorumTimer timer) {

	Quorum {
		nodes = List.copyOf(nodes);
	}

	/** Returns the least number of nodes at which any two sets of nodes share a node. */
	int majority() {
		return majorityOf(this.nodes.size());
	}

	static int majorityOf(int nodes) {
		return nodes / 2 + 1;
	}

	/** Asks all nodes. */
	<T> CompletableFuture<QuorumAnswers<T>> ask(Function<QuorumNode, CompletionStage<T>> question,
			Predicate<QuorumAnswers<T>> decided) {
		return ask(this.nodes, question, decided);
	}

	/** Asks some of the nodes; a majority of all nodes must give the answer. */
	<T> CompletableFuture<QuorumAnswers<T>> ask(List<QuorumNode> some,
			Function<QuorumNode, CompletionStage<T>> question, Predicate<QuorumAnswers<T>> decided) {
		return new QuorumCall<>(some, majority(), this.nodeTimeout, decided).ask(question, this.first, this.timer);
	}

	/** Creates the failure of a verb that found no majority. */
	LockStoreException noMajority(String verb, String key, List<NodeFailure> failures) {
		return QuorumException.noMajority(verb, key, this.nodes.size(), failures);
	}

}
