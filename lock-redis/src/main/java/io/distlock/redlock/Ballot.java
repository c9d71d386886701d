package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

import io.distlock.redlock.Tally.Vote;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes the same, all at once, until their answers decide or the time is over: then
 * those that are silent count as failed. What comes later is not looked at.
 *
 * @param <T> what a node answers
 */
final class Ballot<T> {

	private final CompletableFuture<Tally<T>> result = new CompletableFuture<>();

	private final Predicate<Tally<T>> decided;

	private final Duration timeout;

	private final int majority;

	private final List<Vote<T>> votes = new ArrayList<>();

	private boolean closed;

	private Ballot(List<QuorumNode> nodes, int majority, Duration timeout, Predicate<Tally<T>> decided) {
		this.majority = majority;
		this.timeout = timeout;
		this.decided = decided;
		nodes.forEach((node) -> this.votes.add(new Vote<>(node, null, null)));
	}

	/** Asks the nodes for a decision by the majority of the quorum. */
	static <T> CompletableFuture<Tally<T>> hold(Quorum quorum, List<QuorumNode> nodes,
			Function<QuorumNode, CompletionStage<T>> question, Predicate<Tally<T>> decided) {
		Duration timeout = quorum.nodeTimeout();
		Ballot<T> ballot = new Ballot<>(nodes, quorum.majority(), timeout, decided);
		Runnable timer = quorum.timer().later(timeout, ballot::timeIsOver);
		ballot.result.whenComplete((tally, error) -> timer.run());
		for (int i = 0; i < nodes.size(); i++) {
			ballot.ask(i, nodes.get(i), question);
		}
		if (nodes.isEmpty()) {
			ballot.timeIsOver();
		}
		return ballot.result;
	}

	private void ask(int index, QuorumNode node, Function<QuorumNode, CompletionStage<T>> question) {
		try {
			question.apply(node).whenComplete((answer, error) -> answered(index, node, answer, error));
		}
		catch (RuntimeException ex) {
			answered(index, node, null, ex);
		}
	}

	private void answered(int index, QuorumNode node, @Nullable T answer, @Nullable Throwable error) {
		Tally<T> tally;
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.votes.set(index, (error != null) ? new Vote<>(node, null, NodeFailure.of(node.name(), error))
					: new Vote<>(node, answer, null));
			tally = new Tally<>(this.majority, this.votes);
			if (tally.open() > 0 && !this.decided.test(tally)) {
				return;
			}
			this.closed = true;
		}
		this.result.complete(tally);
	}

	private void timeIsOver() {
		Tally<T> tally;
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			this.votes.replaceAll((vote) -> vote.open()
					? new Vote<>(vote.node(), null, NodeFailure.timedOut(vote.node().name(), this.timeout)) : vote);
			tally = new Tally<>(this.majority, this.votes);
		}
		this.result.complete(tally);
	}

}
