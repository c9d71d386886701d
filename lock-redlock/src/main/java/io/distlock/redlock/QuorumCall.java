package io.distlock.redlock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

import io.distlock.redlock.QuorumAnswers.Answer;
import org.jspecify.annotations.Nullable;

/**
 * Sends one question to all given nodes at once. The call ends when their answers decide
 * or the time is over. Nodes without an answer count as failed then, and later answers
 * are ignored. A call that begins while the nodes connect for the first time gets more
 * time, until a majority is connected. From then on the other nodes get the usual time.
 *
 * @param <T> type of the answer of a node
 */
final class QuorumCall<T> {

	private final CompletableFuture<QuorumAnswers<T>> result = new CompletableFuture<>();

	private final Predicate<QuorumAnswers<T>> decided;

	private final Duration nodeTimeout;

	private final int majority;

	private final List<Answer<T>> answers = new ArrayList<>();

	private boolean closed;

	/**
	 * Creates a call.
	 * @param nodes the nodes to ask
	 * @param majority how many nodes are a majority of the quorum
	 * @param nodeTimeout how long each node may take
	 * @param decided returns whether the answers so far decide
	 */
	QuorumCall(List<QuorumNode> nodes, int majority, Duration nodeTimeout, Predicate<QuorumAnswers<T>> decided) {
		this.majority = majority;
		this.nodeTimeout = nodeTimeout;
		this.decided = decided;
		nodes.forEach((node) -> this.answers.add(new Answer<>(node, null, null)));
	}

	/**
	 * Asks the nodes.
	 * @param question the question
	 * @param first the extra time while the nodes connect for the first time
	 * @param timer ends the call when its time is over
	 * @return the answers that decided; never fails
	 */
	CompletableFuture<QuorumAnswers<T>> ask(Function<QuorumNode, CompletionStage<T>> question, FirstConnections first,
			QuorumTimer timer) {
		List<QuorumNode> nodes = this.answers.stream().map(Answer::node).toList();
		Duration connecting = first.left();
		Duration longest = this.nodeTimeout.plus(connecting);
		endIn(longest, longest, timer);
		if (!connecting.isZero()) {
			long begun = timer.nanoTime();
			first.whenOver(() -> {
				Duration elapsed = Duration.ofNanos(timer.nanoTime() - begun);
				endIn(this.nodeTimeout, elapsed.plus(this.nodeTimeout), timer);
			});
		}
		for (int i = 0; i < nodes.size(); i++) {
			ask(i, nodes.get(i), question);
		}
		if (nodes.isEmpty()) {
			timeIsOver(this.nodeTimeout);
		}
		return this.result;
	}

	private void endIn(Duration left, Duration total, QuorumTimer timer) {
		if (!this.result.isDone()) {
			Runnable cancel = timer.later(left, () -> timeIsOver(total));
			this.result.whenComplete((answers, error) -> cancel.run());
		}
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
		QuorumAnswers<T> soFar;
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.answers.set(index, (error != null) ? new Answer<>(node, null, NodeFailure.of(node.name(), error))
					: new Answer<>(node, answer, null));
			soFar = new QuorumAnswers<>(this.majority, this.answers);
			if (soFar.open() > 0 && !this.decided.test(soFar)) {
				return;
			}
			this.closed = true;
		}
		this.result.complete(soFar);
	}

	private void timeIsOver(Duration after) {
		QuorumAnswers<T> all;
		synchronized (this) {
			if (this.closed) {
				return;
			}
			this.closed = true;
			this.answers.replaceAll((answer) -> answer.isOpen()
					? new Answer<>(answer.node(), null, NodeFailure.timedOut(answer.node().name(), after)) : answer);
			all = new QuorumAnswers<>(this.majority, this.answers);
		}
		this.result.complete(all);
	}

}
