package io.distlock.redlock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The nodes that decide together.
 *
 * @param nodes all of them
 * @param nodeTimeout how long each may take to answer
 * @param timer the time
 */
record Quorum(List<QuorumNode> nodes, Duration nodeTimeout, QuorumTimer timer) {

	Quorum {
		nodes = List.copyOf(nodes);
	}

	/** Two of these have a node in common. */
	int majority() {
		return this.nodes.size() / 2 + 1;
	}

	/** Asks all nodes. */
	<T> CompletableFuture<Tally<T>> ask(Function<QuorumNode, CompletionStage<T>> question,
			Predicate<Tally<T>> decided) {
		return Ballot.hold(this, this.nodes, question, decided);
	}

	/** Asks some of the nodes for what a majority of all of them must answer. */
	<T> CompletableFuture<Tally<T>> ask(List<QuorumNode> some, Function<QuorumNode, CompletionStage<T>> question,
			Predicate<Tally<T>> decided) {
		return Ballot.hold(this, some, question, decided);
	}

}
