package io.distlock.autoconfigure;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.autoconfigure.LockProperties.StartupCheck;

/**
 * Runs the check of a store when all beans exist. Problems prevent the start or are
 * logged, as configured. A server that does not answer is only logged: the application
 * must be able to start while its store is away; its locks fail one by one, and work when
 * the store is back.
 */
public final class StoreCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(StoreCheck.class);

	private static final String NEXT = System.lineSeparator() + "  - ";

	private final StartupCheck mode;

	private final String introduction;

	private final String action;

	private final Supplier<Findings> check;

	/**
	 * Creates a check that was not run yet.
	 * @param mode what to do with problems
	 * @param introduction what precedes them, a sentence without its full stop
	 * @param where what to change, for instance {@code the server's configuration}
	 * @param property the property that sets the mode
	 * @param check blocks until the store has answered or its time is over
	 */
	public StoreCheck(StartupCheck mode, String introduction, String where, String property, Supplier<Findings> check) {
		this.mode = mode;
		this.introduction = introduction;
		this.action = "Change " + where + " as described above, or accept the risk with " + property + "=warn.";
		this.check = check;
	}

	@Override
	public void afterSingletonsInstantiated() {
		run();
	}

	/**
	 * Runs the check, unless it is off.
	 * @throws LockConfigurationException with the problems, if they prevent the start
	 */
	public void run() {
		if (this.mode == StartupCheck.OFF) {
			return;
		}
		Findings findings = this.check.get();
		findings.warnings().forEach((warning) -> logger.warn("{}", warning, findings.cause()));
		if (!findings.problems().isEmpty()) {
			report(this.introduction + ":" + NEXT + String.join(NEXT, findings.problems()));
		}
	}

	private void report(String description) {
		if (this.mode == StartupCheck.FAIL) {
			throw new LockConfigurationException(description, this.action);
		}
		logger.warn("{}", description);
	}

	/**
	 * What a check found.
	 *
	 * @param problems reasons why the store cannot keep locks, one sentence each
	 * @param warnings what could not be checked or is doubtful
	 * @param cause why something could not be checked, if known
	 */
	public record Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause) {

		/**
		 * Creates the findings of a store that cannot keep locks.
		 * @param problems why, one sentence each
		 * @return the findings
		 */
		public static Findings problems(List<String> problems) {
			return new Findings(problems, List.of(), null);
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
		 * @param cause why, if known
		 * @return the findings
		 */
		public static Findings unreachable(String message, @Nullable Throwable cause) {
			return new Findings(List.of(), List.of(message + ": whether it can keep locks was not checked"), cause);
		}

	}

}
