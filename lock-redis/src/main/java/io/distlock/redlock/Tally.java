package io.distlock.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * What the nodes of a quorum have answered so far.
 *
 * @param <T> what a node answers
 */
final class Tally<T> {

	private final int majority;

	private final List<Vote<T>> votes;

	/**
	 * The state of one node: answered, failed, or open.
	 *
	 * @param <T> what a node answers
	 * @param node the node
	 * @param answer its answer, or {@code null}
	 * @param failure why there will be none, or {@code null}
	 */
	record Vote<T>(QuorumNode node, @Nullable T answer, @Nullable NodeFailure failure) {

		boolean open() {
			return this.answer == null && this.failure == null;
		}

	}

	Tally(int majority, List<Vote<T>> votes) {
		this.majority = majority;
		this.votes = List.copyOf(votes);
	}

	int majority() {
		return this.majority;
	}

	List<T> answers() {
		List<T> answers = new ArrayList<>();
		for (Vote<T> vote : this.votes) {
			if (vote.answer() != null) {
				answers.add(vote.answer());
			}
		}
		return answers;
	}

	<S extends T> List<S> answers(Class<S> type) {
		return answers().stream().filter(type::isInstance).map(type::cast).toList();
	}

	int count(Predicate<T> condition) {
		return (int) answers().stream().filter(condition).count();
	}

	/** How many nodes may still answer. */
	int open() {
		return (int) this.votes.stream().filter(Vote::open).count();
	}

	boolean isMajority(int count) {
		return count >= this.majority;
	}

	/** Whether so many are a majority, or may become one. */
	boolean mayBeMajority(int count) {
		return count + open() >= this.majority;
	}

	List<NodeFailure> failures() {
		List<NodeFailure> failures = new ArrayList<>();
		for (Vote<T> vote : this.votes) {
			if (vote.failure() != null) {
				failures.add(vote.failure());
			}
		}
		return failures;
	}

	/** The nodes whose answer is not of these kinds, if there is one at all. */
	List<QuorumNode> nodesBut(Predicate<T> condition) {
		List<QuorumNode> nodes = new ArrayList<>();
		for (Vote<T> vote : this.votes) {
			if (vote.answer() == null || !condition.test(vote.answer())) {
				nodes.add(vote.node());
			}
		}
		return nodes;
	}

}
