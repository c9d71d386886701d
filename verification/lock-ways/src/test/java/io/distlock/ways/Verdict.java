package io.distlock.ways;

import java.util.List;
import java.util.function.Supplier;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.ways.Witness.Seen;

import static org.assertj.core.api.Assertions.assertThat;

/** What became of a call. */
enum Verdict {

	/** The lock was held during each run. */
	LOCKED("locked"),

	/** The application did not start. */
	REFUSED("refused at startup"),

	/** The method ran without its lock, and the log says so with its place and a fix. */
	WARNED("**runs without the lock**, a warning says so"),

	/** A test put another object in place of the bean. It ran without a lock. */
	REPLACED("the test's object, without the lock"),

	/** The method ran without its lock, and nobody was told. */
	SILENT("**runs without the lock, and nobody is told**");

	private final String text;

	Verdict(String text) {
		this.text = text;
	}

	/**
	 * Runs a way.
	 * @param way the way to run
	 * @param log all that was logged so far
	 */
	static Verdict of(Way way, Supplier<String> log) throws Exception {
		Witness.forget();
		int before = log.get().length();
		try {
			way.application().call();
		}
		catch (Throwable ex) {
			for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
				if (cause instanceof InvalidLockDefinitionException refusal) {
					assertThat(refusal.method()).isNotBlank();
					assertThat(refusal.fix()).isNotBlank();
					return REFUSED;
				}
			}
			throw ex;
		}
		return ofRuns(way, log.get().substring(before));
	}

	private static Verdict ofRuns(Way way, String log) {
		List<Seen> seen = Witness.seen();
		assertThat(seen).as("runs of the method").isNotEmpty();
		if (seen.stream().allMatch(Seen::locked)) {
			return LOCKED;
		}
		if (way.replaced()) {
			return REPLACED;
		}
		return seen.stream().filter((run) -> !run.locked()).allMatch((run) -> isTold(run, log)) ? WARNED : SILENT;
	}

	private static boolean isTold(Seen run, String log) {
		return log.lines()
			.anyMatch((line) -> line.contains("WARN") && line.contains(run.type() + "." + run.method() + "(")
					&& line.contains(". "));
	}

	@Override
	public String toString() {
		return this.text;
	}

}
