package io.distlock.spi;

import java.util.List;

import org.jspecify.annotations.Nullable;

/** The result of a check at startup whether a store can keep locks. */
public sealed interface StoreCheckResult {

	/**
	 * Returns whether all was checked. Otherwise the check is worth repeating when the
	 * store answers.
	 * @return {@code false} if the store, or too much of it, did not answer
	 */
	default boolean complete() {
		return true;
	}

	/**
	 * Returns why the store cannot keep locks, one sentence for each problem.
	 * @return the problems; none if the store passed, nor if it did not answer
	 */
	default List<String> problems() {
		return List.of();
	}

	/**
	 * Returns what is doubtful or was not checked, one sentence each.
	 * @return the warnings; none if the store did not answer, see {@link Unreachable}
	 */
	default List<String> warnings() {
		return List.of();
	}

	/**
	 * The store can keep locks.
	 *
	 * @param warnings one sentence for each thing that is doubtful nevertheless, usually
	 * empty
	 */
	record Passed(List<String> warnings) implements StoreCheckResult {

		/**
		 * Copies the list.
		 * @param warnings the warnings
		 */
		public Passed {
			warnings = List.copyOf(warnings);
		}

		/** Creates a result without warnings. */
		public Passed() {
			this(List.of());
		}

	}

	/**
	 * The store cannot keep locks: acquisitions would fail, or locks could get lost. An
	 * operator may accept that.
	 *
	 * @param problems one sentence for each problem, including what to do
	 * @param warnings one sentence for each thing that was not checked or is doubtful,
	 * usually empty
	 * @param complete whether all was checked
	 */
	record Problems(List<String> problems, List<String> warnings, boolean complete) implements StoreCheckResult {

		/**
		 * Copies the lists.
		 * @param problems the problems
		 * @param warnings the warnings
		 * @param complete whether all was checked
		 */
		public Problems {
			problems = List.copyOf(problems);
			warnings = List.copyOf(warnings);
		}

		/**
		 * Creates a complete result without warnings.
		 * @param problems the problems
		 */
		public Problems(List<String> problems) {
			this(problems, List.of(), true);
		}

	}

	/**
	 * No lock can be acquired, for instance because the store refuses the user, or locks
	 * would not exclude each other. Nobody can accept that.
	 *
	 * @param problems one sentence for each problem, including what to do
	 */
	record Refused(List<String> problems) implements StoreCheckResult {

		/**
		 * Copies the list.
		 * @param problems the problems
		 */
		public Refused {
			problems = List.copyOf(problems);
		}

	}

	/**
	 * The store did not answer, so nothing is known.
	 *
	 * @param message what happened, a sentence; several servers may have one each
	 * @param cause what the client reported, or {@code null} if it took too long
	 */
	record Unreachable(String message, @Nullable Throwable cause) implements StoreCheckResult {

		@Override
		public boolean complete() {
			return false;
		}

	}

}
