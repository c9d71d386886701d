package io.distlock.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;

import io.distlock.support.ForeignText;

/**
 * Runs the check of a store when all beans exist. Problems prevent the start or are
 * logged, as configured. A server that does not answer is only logged: the application
 * must be able to start while its store is away; its locks fail one by one, and work when
 * the store is back.
 * <p>
 * Health makes up for such a check with {@link #runIfDue()} once the store answers.
 */
public final class StoreCheck {

	private static final Logger logger = LoggerFactory.getLogger(StoreCheck.class);

	private static final String NEXT = System.lineSeparator() + "  - ";

	private final Mode mode;

	private final Supplier<String> introduction;

	private final String where;

	private final String property;

	private final Supplier<Findings> check;

	private volatile boolean due;

	private volatile List<String> problems = List.of();

	/**
	 * Creates a check that was not run yet.
	 * @param mode what to do with problems
	 * @param introduction what precedes them, a sentence without its full stop
	 * @param where what to change, for instance {@code the server's configuration}
	 * @param property the property that sets the mode
	 * @param check blocks until the store has answered or its time is over
	 */
	public StoreCheck(Mode mode, String introduction, String where, String property, Supplier<Findings> check) {
		this(mode, () -> introduction, where, property, check);
	}

	/**
	 * Creates a check that was not run yet, of a server that has to be described first.
	 * @param mode what to do with problems
	 * @param introduction what precedes them, a sentence without its full stop; asked
	 * with the first problem
	 * @param where what to change, for instance {@code the server's configuration}
	 * @param property the property that sets the mode
	 * @param check blocks until the store has answered or its time is over
	 */
	public StoreCheck(Mode mode, Supplier<String> introduction, String where, String property,
			Supplier<Findings> check) {
		this.mode = mode;
		this.introduction = introduction;
		this.where = where;
		this.property = property;
		this.check = check;
	}

	/** Returns the check of a store that has nothing to be checked. */
	static StoreCheck none() {
		return new StoreCheck(Mode.OFF, "", "", "", () -> Findings.passed(List.of()));
	}

	/** Returns the same check, whose messages name one of several stores. */
	StoreCheck ofStore(String id) {
		String store = "Store '" + ForeignText.of(id) + "': ";
		return new StoreCheck(this.mode, () -> store + this.introduction.get(), this.where, this.property, () -> {
			Findings found = this.check.get();
			return new Findings(found.problems(), found.warnings().stream().map(store::concat).toList(), found.cause(),
					found.answered(), found.acceptable());
		});
	}

	/**
	 * Runs the check, unless it is off.
	 * @throws LockConfigurationException with the problems, if they prevent the start
	 */
	public synchronized void run() {
		if (this.mode == Mode.OFF) {
			return;
		}
		Findings findings = this.check.get();
		this.due = !findings.answered();
		findings.warnings().forEach((warning) -> logger.warn("{}", warning));
		if (findings.cause() != null) {
			logger.debug("The store did not answer at startup", findings.cause());
		}
		if (findings.problems().isEmpty()) {
			return;
		}
		String description = this.introduction.get() + ":" + NEXT + String.join(NEXT, findings.problems());
		if (this.mode == Mode.FAIL) {
			throw new LockConfigurationException(description, "Change " + this.where + " as described above"
					+ (findings.acceptable() ? ", or accept the risk with " + this.property + "=warn." : "."));
		}
		logger.warn("{}", description);
	}

	/**
	 * Runs the check again if the store did not answer it yet, or if it found problems
	 * after the start that may have been solved. Blocks as the check does.
	 */
	public synchronized void runIfDue() {
		if (!this.due) {
			return;
		}
		Findings findings = this.check.get();
		if (!findings.answered()) {
			return;
		}
		List<String> before = this.problems;
		List<String> now = findings.problems();
		this.due = this.mode == Mode.FAIL && !now.isEmpty();
		this.problems = this.due ? List.copyOf(now) : List.of();
		if (now.isEmpty() && !before.isEmpty()) {
			logger.info("{}: resolved", this.introduction.get());
		}
		else if (!now.equals(before)) {
			logFound(this.introduction.get(), String.join("; ", now));
		}
	}

	private void logFound(String introduction, String found) {
		if (this.mode == Mode.FAIL) {
			logger.error("{}, found after the start. Locks are still granted: {}", introduction, found);
		}
		else {
			logger.warn("{}, found after the start: {}", introduction, found);
		}
	}

	/**
	 * Returns what was found after the start and would have prevented it.
	 * @return one sentence for each problem; none once they are fixed, or if problems are
	 * only to be logged
	 */
	public List<String> problems() {
		return this.problems;
	}

	/** What to do with what a check found. */
	public enum Mode {

		/** Do not start. */
		FAIL,

		/** Log it. */
		WARN,

		/** Do not check. */
		OFF

	}

	/**
	 * What a check found.
	 *
	 * @param problems reasons why the store cannot keep locks, one sentence each
	 * @param warnings what could not be checked or is doubtful
	 * @param cause why something could not be checked, if known
	 * @param answered whether the store answered, so that it was checked
	 * @param acceptable whether locks can be used in spite of the problems
	 */
	public record Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause, boolean answered,
			boolean acceptable) {

		/**
		 * Creates the findings of a store that answered.
		 * @param problems reasons why the store cannot keep locks, one sentence each
		 * @param warnings what could not be checked or is doubtful
		 * @param cause why something could not be checked, if known
		 */
		public Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause) {
			this(problems, warnings, cause, true, true);
		}

		/**
		 * Creates the findings of a store that cannot keep locks.
		 * @param problems why, one sentence each
		 * @return the findings
		 */
		public static Findings problems(List<String> problems) {
			return new Findings(problems, List.of(), null);
		}

		/**
		 * Creates the findings of a store that refuses access. They count whatever risk
		 * is accepted.
		 * @param problem why, a sentence
		 * @return the findings
		 */
		public static Findings refused(String problem) {
			return new Findings(List.of(problem), List.of(), null, true, false);
		}

		/**
		 * Creates the findings of a store that can keep locks.
		 * @param warnings what is doubtful all the same, one sentence each
		 * @return the findings
		 */
		public static Findings passed(List<String> warnings) {
			return new Findings(List.of(), warnings, null);
		}

		/**
		 * Creates the findings of a store that did not answer.
		 * @param message what happened, a sentence without its full stop
		 * @param cause why, if known; the text of its root cause follows, if the message
		 * does not have it
		 * @return the findings
		 */
		public static Findings unreachable(String message, @Nullable Throwable cause) {
			String what = message + because(message, cause);
			String warning = (what.endsWith(".") ? what : what + ".") + " Whether it can keep locks was not checked";
			return new Findings(List.of(), List.of(warning), cause, false, true);
		}

		private static String because(String message, @Nullable Throwable cause) {
			String reason = (cause != null) ? ForeignText.messageOf(NestedExceptionUtils.getMostSpecificCause(cause))
					: "";
			return message.contains(reason) ? "" : " (" + reason + ")";
		}

	}

}
