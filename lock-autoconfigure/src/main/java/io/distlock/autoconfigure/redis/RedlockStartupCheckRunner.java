package io.distlock.autoconfigure.redis;

import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.redlock.RedlockStartupCheck.Result;

/** Looks at the nodes once all beans are there, and acts as configured. */
final class RedlockStartupCheckRunner implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RedlockStartupCheckRunner.class);

	private final Supplier<Result> check;

	private final StartupCheck mode;

	RedlockStartupCheckRunner(Supplier<Result> check, StartupCheck mode) {
		this.check = check;
		this.mode = mode;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.mode == StartupCheck.OFF) {
			return;
		}
		Result result = this.check.get();
		// With a majority locks work, and without one they will when it is back.
		result.warnings().forEach((warning) -> logger.warn("Redlock: {}", warning));
		if (!result.problems().isEmpty()) {
			StartupProblems.report(this.mode, "The Redlock nodes cannot keep locks reliably", "the nodes",
					result.problems());
		}
	}

}
