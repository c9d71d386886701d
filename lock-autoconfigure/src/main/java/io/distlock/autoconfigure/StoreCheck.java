package io.distlock.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.NestedExceptionUtils;

import io.distlock.LockStoreException;
import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.spi.TransientStoreException;
import io.distlock.support.ForeignText;

/**
 * Runs the check of a store when all beans exist. Problems prevent the start or are
 * logged, as configured. A server that does not answer is only logged: the application
 * must be able to start while its store is away; its locks fail one by one, and work when
 * the store is back.
 * <p>
 * {@link #runAgain()} repeats the check when such a server answers, and when another
 * server answers in its place. The application has started by then: a problem that would
 * have prevented the start is logged as an error, and {@link #problems()} reports it
 * until it is solved.
 */
public final class StoreCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(StoreCheck.class);

	private static final String NEXT = System.lineSeparator() + "  - ";

	private final StartupCheck mode;

	private final String introduction;

	private final String action;

	private final String property;

	private final Supplier<Findings> check;

	private final Supplier<Optional<String>> server;

	/** Replaced as a whole: a caller that sees the answer also sees the problems. */
	private volatile Knowledge known = Knowledge.NONE;

	/**
	 * Creates a check that was not run yet.
	 * @param mode what to do with problems
	 * @param introduction what precedes them, a sentence without its full stop
	 * @param where what to change, for instance {@code the server's configuration}
	 * @param property the property that sets the mode
	 * @param check blocks until the store has answered or its time is over
	 */
	public StoreCheck(StartupCheck mode, String introduction, String where, String property, Supplier<Findings> check) {
		this(mode, introduction, where, property, check, Optional::empty);
	}

	/**
	 * Creates a check that was not run yet, and is repeated for another server.
	 * @param mode what to do with problems
	 * @param introduction what precedes them, a sentence without its full stop
	 * @param where what to change, for instance {@code the server's configuration}
	 * @param property the property that sets the mode
	 * @param check blocks until the store has answered or its time is over
	 * @param server names the server that answers now, another one by another name;
	 * blocks as the check does; empty if it does not answer or does not say
	 */
	public StoreCheck(StartupCheck mode, String introduction, String where, String property, Supplier<Findings> check,
			Supplier<Optional<String>> server) {
		this.server = server;
		this.property = property;
		this.mode = mode;
		this.introduction = introduction;
		this.action = "Change " + where + " as described above, or accept the risk with " + property + "=warn.";
		this.check = check;
	}

	/** Returns the check of a store that has nothing to be checked. */
	static StoreCheck none() {
		return new StoreCheck(StartupCheck.OFF, "", "", "", () -> Findings.passed(List.of()));
	}

	@Override
	public void afterSingletonsInstantiated() {
		run();
	}

	/**
	 * Runs the check, unless it is off.
	 * @throws LockConfigurationException with the problems, if they prevent the start
	 */
	public synchronized void run() {
		if (this.mode == StartupCheck.OFF) {
			return;
		}
		Findings findings = this.check.get();
		// What is only logged is not looked for again. Anything else ends the
		// start, while threads of the application still run.
		List<String> remembered = refusesStart() ? List.copyOf(findings.problems()) : List.of();
		this.known = new Knowledge(findings.answered(), remembered, serverOf(findings));
		findings.warnings().forEach((warning) -> logger.warn("{}", warning));
		if (findings.cause() != null) {
			logger.debug("The store did not answer at startup", findings.cause());
		}
		if (!findings.problems().isEmpty()) {
			report(this.introduction + ":" + NEXT + String.join(NEXT, findings.problems()));
		}
	}

	/**
	 * Runs the check again if it is due: the server did not answer before, it has
	 * problems that may have been fixed, or another server answers in its place. Throws
	 * nothing.
	 */
	synchronized void runAgain() {
		Knowledge before = this.known;
		if (this.mode == StartupCheck.OFF || !isDue(before)) {
			return;
		}
		Findings findings = this.check.get();
		if (!findings.answered()) {
			this.known = new Knowledge(false, before.problems(), before.server());
			return;
		}
		this.known = new Knowledge(true, List.copyOf(findings.problems()), serverOf(findings));
		if (!before.answered()) {
			findings.warnings().forEach((warning) -> logger.warn("{}", warning));
		}
		logChange(before.problems(), findings.problems());
	}

	private boolean isDue(Knowledge before) {
		if (!before.answered() || !before.problems().isEmpty()) {
			return true;
		}
		Optional<String> now = this.server.get();
		return now.isPresent() && !now.equals(before.server());
	}

	private Optional<String> serverOf(Findings findings) {
		return findings.answered() ? this.server.get() : this.known.server();
	}

	private void logChange(List<String> before, List<String> now) {
		if (now.isEmpty() && !before.isEmpty()) {
			logger.info("The problems that were logged are solved: {}", this.introduction);
		}
		else if (!now.equals(before)) {
			logFound(String.join("; ", now));
		}
	}

	private void logFound(String problems) {
		switch (this.mode) {
			case REFUSE -> logger.error("{}, found after the start, so no lock is granted until it is fixed: {}",
					this.introduction, problems);
			case FAIL -> logger.error(
					"{}, found after the start, and locks are granted nevertheless ({}=refuse would refuse them): {}",
					this.introduction, this.property, problems);
			default -> logger.warn("{}, found after the start: {}", this.introduction, problems);
		}
	}

	/**
	 * Returns what was found after the start and would have prevented it.
	 * @return one sentence for each problem; none once they are fixed, or if problems are
	 * only to be logged
	 */
	public List<String> problems() {
		return refusesStart() ? this.known.problems() : List.of();
	}

	/**
	 * Returns why no lock may be granted now: with problems a refusal, before the store
	 * has answered the check a failure that passes.
	 * @return the failure, empty if locks may be granted
	 */
	Optional<LockStoreException> refusal() {
		Knowledge now = this.known;
		List<String> problems = now.problems();
		if (!refusesLocks() || (problems.isEmpty() && now.answered())) {
			return Optional.empty();
		}
		return Optional.of(problems.isEmpty()
				? new TransientStoreException("",
						"The store has not answered the check that " + this.property + " demands", null)
				: new LockStoreException("", this.introduction + ": " + String.join("; ", problems), null));
	}

	/** Whether locks are refused while there are problems. */
	boolean refusesLocks() {
		return this.mode == StartupCheck.REFUSE;
	}

	private boolean refusesStart() {
		return this.mode == StartupCheck.FAIL || this.mode == StartupCheck.REFUSE;
	}

	private void report(String description) {
		if (refusesStart()) {
			throw new LockConfigurationException(description, this.action);
		}
		logger.warn("{}", description);
	}

	/**
	 * What is known of the store between two checks.
	 *
	 * @param answered whether the store answered the last check
	 * @param problems what prevents the start or was found after it, one sentence each
	 * @param server names the server that was checked last, empty if that is not known
	 */
	private record Knowledge(boolean answered, List<String> problems, Optional<String> server) {

		/** Before the first check. */
		private static final Knowledge NONE = new Knowledge(true, List.of(), Optional.empty());

	}

	/**
	 * What a check found.
	 *
	 * @param problems reasons why the store cannot keep locks, one sentence each
	 * @param warnings what could not be checked or is doubtful
	 * @param cause why something could not be checked, if known
	 * @param answered whether the store answered, so that it was checked
	 */
	public record Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause, boolean answered) {

		/**
		 * Creates the findings of a store that answered.
		 * @param problems reasons why the store cannot keep locks, one sentence each
		 * @param warnings what could not be checked or is doubtful
		 * @param cause why something could not be checked, if known
		 */
		public Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause) {
			this(problems, warnings, cause, true);
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
			String warning = message + because(message, cause)
					+ ". Whether it can keep locks was not checked; the check runs when it answers";
			return new Findings(List.of(), List.of(warning), cause, false);
		}

		private static String because(String message, @Nullable Throwable cause) {
			String reason = (cause != null) ? ForeignText.messageOf(NestedExceptionUtils.getMostSpecificCause(cause))
					: "";
			return message.contains(reason) ? "" : " (" + reason + ")";
		}

	}

}
