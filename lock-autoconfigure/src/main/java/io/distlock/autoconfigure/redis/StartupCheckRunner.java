package io.distlock.autoconfigure.redis;

import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.redlock.RedlockStartupCheck;

/**
 * Runs the check of a store when all beans exist. Problems prevent the start or are
 * logged, as configured. A server that does not answer is only logged: the application
 * must be able to start while Redis is away; its locks fail one by one, and work when
 * Redis is back.
 */
final class StartupCheckRunner implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(StartupCheckRunner.class);

	private static final String NEXT = System.lineSeparator() + "  - ";

	private final StartupCheck mode;

	private final String introduction;

	private final String where;

	private final Supplier<Findings> check;

	private StartupCheckRunner(StartupCheck mode, String introduction, String where, Supplier<Findings> check) {
		this.mode = mode;
		this.introduction = introduction;
		this.where = where;
		this.check = check;
	}

	static StartupCheckRunner of(Supplier<RedisStartupCheck.Result> check, StartupCheck mode) {
		return new StartupCheckRunner(mode, "Redis cannot keep locks reliably", "the server's configuration",
				() -> Findings.of(check.get()));
	}

	static StartupCheckRunner ofNodes(Supplier<RedlockStartupCheck.Result> check, StartupCheck mode) {
		return new StartupCheckRunner(mode, "The Redlock nodes cannot keep locks reliably", "the nodes",
				() -> Findings.of(check.get()));
	}

	@Override
	public void afterSingletonsInstantiated() {
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
			throw new LockConfigurationException(description, "Change " + this.where
					+ " as described above, or accept the risk with distributed-lock.redis.startup-check=warn.");
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
	private record Findings(List<String> problems, List<String> warnings, @Nullable Throwable cause) {

		static Findings of(RedisStartupCheck.Result result) {
			if (result instanceof RedisStartupCheck.Result.Unreachable unreachable) {
				return new Findings(List.of(),
						List.of(unreachable.message() + ": whether it can keep locks was not checked"),
						unreachable.cause());
			}
			return new Findings(
					(result instanceof RedisStartupCheck.Result.Problems found) ? found.problems() : List.of(),
					List.of(), null);
		}

		static Findings of(RedlockStartupCheck.Result result) {
			return new Findings(result.problems(),
					result.warnings().stream().map((warning) -> "Redlock: " + warning).toList(), null);
		}

	}

}
