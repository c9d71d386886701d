package io.distlock.autoconfigure;

import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.NestedExceptionUtils;

import io.distlock.spi.StoreCheckResult;
import io.distlock.spi.StoreCheckResult.Passed;
import io.distlock.spi.StoreCheckResult.Problems;
import io.distlock.spi.StoreCheckResult.Refused;
import io.distlock.spi.StoreCheckResult.Unreachable;
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

	private final Supplier<StoreCheckResult> check;

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
	public StoreCheck(Mode mode, String introduction, String where, String property, Supplier<StoreCheckResult> check) {
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
			Supplier<StoreCheckResult> check) {
		this.mode = mode;
		this.introduction = introduction;
		this.where = where;
		this.property = property;
		this.check = check;
	}

	/** Returns the check of a store without anything to check. */
	static StoreCheck none() {
		return new StoreCheck(Mode.OFF, "", "", "", Passed::new);
	}

	/** Returns the same check, whose messages name one of several stores. */
	StoreCheck ofStore(String id) {
		String store = "Store '" + ForeignText.of(id) + "': ";
		return new StoreCheck(this.mode, () -> store + this.introduction.get(), this.where, this.property,
				() -> named(this.check.get(), (problem) -> ofStore(problem, id),
						(warning) -> store + ofStore(warning, id)));
	}

	private static StoreCheckResult named(StoreCheckResult result, UnaryOperator<String> problem,
			UnaryOperator<String> warning) {
		List<String> problems = result.problems().stream().map(problem).toList();
		List<String> warnings = result.warnings().stream().map(warning).toList();
		if (result instanceof Unreachable unreachable) {
			return new Unreachable(warning.apply(unreachable.message()), unreachable.cause());
		}
		if (result instanceof Refused) {
			return new Refused(problems);
		}
		return (result instanceof Problems) ? new Problems(problems, warnings, result.complete())
				: new Passed(warnings);
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
		StoreCheckResult result = this.check.get();
		this.due = !result.complete();
		result.warnings().forEach((warning) -> logger.warn("{}", warning));
		if (result instanceof Unreachable unreachable) {
			logger.warn("{} Whether it can keep locks was not checked", sentence(unreachable));
			logger.debug("The store did not answer at startup", unreachable.cause());
		}
		if (result.problems().isEmpty()) {
			return;
		}
		String description = this.introduction.get() + ":" + NEXT + String.join(NEXT, result.problems());
		if (this.mode == Mode.FAIL) {
			throw new LockConfigurationException(description, "Change " + this.where + " as described above"
					+ ((result instanceof Refused) ? "." : ", or accept the risk with " + this.property + "=warn."));
		}
		logger.warn("{}", description);
	}

	/** Adds the reason, unless the message has it. */
	private static String sentence(Unreachable unreachable) {
		String message = unreachable.message();
		Throwable cause = unreachable.cause();
		String reason = (cause != null) ? ForeignText.messageOf(NestedExceptionUtils.getMostSpecificCause(cause)) : "";
		String sentence = message.contains(reason) ? message : message + " (" + reason + ")";
		return sentence.endsWith(".") ? sentence : sentence + ".";
	}

	/**
	 * Runs the check again if the store has not answered yet, or if the check found
	 * problems after the start that may be solved by now. It blocks as long as the check.
	 */
	public synchronized void runIfDue() {
		if (!this.due) {
			return;
		}
		StoreCheckResult result = this.check.get();
		if (!result.complete()) {
			return;
		}
		List<String> before = this.problems;
		List<String> now = result.problems();
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

}
