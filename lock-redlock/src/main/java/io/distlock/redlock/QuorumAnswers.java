package io.distlock.redlock;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Holds the answers of a quorum's nodes so far.
 *
 * @param <T> type of the answer of a node
 */
final class QuorumAnswers<T> {

	private final int majority;

	private final List<Answer<T>> answers;

	/**
	 * The state of one node: answered, failed, or open.
	 *
	 * @param <T> type of the answer
	 * @param node the node
	 * @param value its answer, or {@code null}
	 * @param failure why the node gives no answer, or {@code null}
	 */
	record Answer<T>(QuorumNode node, @Nullable T value, @Nullable NodeFailure failure) {

		boolean isOpen() {
			return this.value == null && this.failure == null;
		}

	}

	QuorumAnswers(int majority, List<Answer<T>> answers) {
		this.majority = majority;
		this.answers = List.copyOf(answers);
	}

	/** Returns the answers of all nodes that have answered. */
	List<T> all() {
		List<T> all = new ArrayList<>();
		for (Answer<T> answer : this.answers) {
			if (answer.value() != null) {
				all.add(answer.value());
			}
		}
		return all;
	}

	/** Returns the answers of one type. */
	<S extends T> List<S> all(Class<S> type) {
		return all().stream().filter(type::isInstance).map(type::cast).toList();
	}

	/** Returns the number of answers that meet a condition. */
	int count(Predicate<T> condition) {
		return (int) all().stream().filter(condition).count();
	}

	/** Returns whether one of the given nodes has an answer that meets a condition. */
	boolean any(Predicate<QuorumNode> some, Predicate<T> condition) {
		return this.answers.stream().anyMatch((answer) -> {
			T value = answer.value();
			return value != null && some.test(answer.node()) && condition.test(value);
		});
	}

	/** Returns the number of nodes that may still answer. */
	int open() {
		return (int) this.answers.stream().filter(Answer::isOpen).count();
	}

	/** Returns whether a majority of the quorum has answered. */
	boolean isMajority() {
		return isMajority(all().size());
	}

	/** Returns whether a number of nodes is a majority of the quorum. */
	boolean isMajority(int count) {
		return count >= this.majority;
	}

	/** Returns whether a number of nodes is a majority, or may become one. */
	boolean mayBecomeMajority(int count) {
		return count + open() >= this.majority;
	}

	/** Returns the failures of the nodes that failed. */
	List<NodeFailure> failures() {
		List<NodeFailure> failures = new ArrayList<>();
		for (Answer<T> answer : this.answers) {
			if (answer.failure() != null) {
				failures.add(answer.failure());
			}
		}
		return failures;
	}

	/** Returns the nodes whose answer, if any, does not meet a condition. */
	List<QuorumNode> nodesWithout(Predicate<T> condition) {
		List<QuorumNode> nodes = new ArrayList<>();
		for (Answer<T> answer : this.answers) {
			if (answer.value() == null || !condition.test(answer.value())) {
				nodes.add(answer.node());
			}
		}
		return nodes;
	}

}
