package io.distlock.autoconfigure;

import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;

import io.distlock.support.ForeignText;

/**
 * Runs the check of a store when all beans exist. Problems prevent the start or are
 * logged, as configured. A silent server is only logged, because the application must be
 * able to start while its store is away. Until the store is back, each call for a lock
 * fails.
 * <p>
 * Health repeats such a check with {@link #runIfDue()} when the store answers.
 */
public final class StoreCheck {

	private static final Logger logger = LoggerFactory.getLogger(StoreCheck.class);

	private static final Pattern OF_ONE_STORE = Pattern.compile("distributed-lock\\.(jdbc|redis|redlock|zookeeper)\\.");

	private static final String NEXT = System.lineSeparator() + "  - ";

	private final Mode mode;

	private final Supplier<String> introduction;

	private final String where;

	private final String property;

	private final Supplier<Findings> check;

	private volatile boolean due;

	private volatile List<String> problems = List.of();

	/**
	 * Creates a check that has not run yet.
	 * @param mode what to do with problems
	 * @param introduction precedes the problems, a sentence without its full stop
	 * @param where what to change, for instance {@code the server's configuration}
	 * @param property the property that sets the mode
	 * @param check blocks until the store has answered or its time is over
	 */
	public StoreCheck(Mode mode, String introduction, String where, String property, Supplier<Findings> check) {
		this(mode, () -> introduction, where, property, check);
	}

	/**
	 * Creates a check that has not run yet, of a server whose description is not known
	 * yet.
	 * @param mode what to do with problems
	 * @param introduction precedes the problems, a sentence without its full stop; called
	 * at the first problem
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

	/** Returns the check of a store without anything to check. */
	static StoreCheck none() {
		return new StoreCheck(Mode.OFF, "", "", "", () -> Findings.passed(List.of()));
	}

	/** Returns the same check, whose messages name one of several stores. */
	StoreCheck ofStore(String id) {
		String store = "Store '" + ForeignText.of(id) + "': ";
		return new StoreCheck(this.mode, () -> store + this.introduction.get(), this.where, this.property, () -> {
			Findings found = this.check.get();
			return new Findings(found.problems().stream().map((problem) -> ofStore(problem, id)).toList(),
					found.warnings().stream().map((warning) -> store + ofStore(warning, id)).toList(), found.cause(),
					found.answered(), found.acceptable());
		});
	}

	/** Lets a text name the properties of one of several stores. */
	private static String ofStore(String text, String id) {
		return OF_ONE_STORE.matcher(text)
			.replaceAll(Matcher.quoteReplacement("distributed-lock.stores." + ForeignText.of(id)) + ".$1.");
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
	 * Runs the check again if the store has not answered yet, or if the check found
	 * problems after the start that may be solved by now. It blocks as long as the check.
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
	 * Returns the problems that were found after the start and would have prevented it.
	 * @return one sentence for each problem; none after the problems are fixed, or if the
	 * mode only logs problems
	 */
	public List<String> problems() {
		return this.problems;
	}

	/** Says what to do with the findings of a check. */
	public enum Mode {

		/** Do not start. */
		FAIL,

		/** Log it. */
		WARN,

		/** Do not check. */
		OFF

	}

	/**
	 * The result of a check.
	 *
	 * @param problems reasons why the store cannot keep locks, one sentence each
	 * @param warnings what is unchecked or doubtful
	 * @param cause the reason for an incomplete check, if known
	 * @param answered whether the store answered and was checked
	 * @param acceptable whether locks are usable despite the problems
	 */
	public record Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause, boolean answered,
			boolean acceptable) {

		/**
		 * Creates the findings of a store that answered.
		 * @param problems reasons why the store cannot keep locks, one sentence each
		 * @param warnings what is unchecked or doubtful
		 * @param cause the reason for an incomplete check, if known
		 */
		public Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause) {
			this(problems, warnings, cause, true, true);
		}

		/**
		 * Creates the findings of a store that cannot keep locks.
		 * @param problems the reasons, one sentence each
		 * @return the findings
		 */
		public static Findings problems(List<String> problems) {
			return new Findings(problems, List.of(), null);
		}

		/**
		 * Creates the findings of a store that refuses access. They count even if the
		 * operator accepts risks.
		 * @param problem the reason, a sentence
		 * @return the findings
		 */
		public static Findings refused(String problem) {
			return new Findings(List.of(problem), List.of(), null, true, false);
		}

		/**
		 * Creates the findings of a store that can keep locks.
		 * @param warnings what is doubtful nevertheless, one sentence each
		 * @return the findings
		 */
		public static Findings passed(List<String> warnings) {
			return new Findings(List.of(), warnings, null);
		}

		/**
		 * Creates the findings of a store that did not answer.
		 * @param message what happened, a sentence without its full stop
		 * @param cause the reason, if known; the text of its root cause is appended
		 * unless the message has it
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
