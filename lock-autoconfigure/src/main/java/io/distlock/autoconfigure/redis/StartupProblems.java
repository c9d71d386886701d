package io.distlock.autoconfigure.redis;

import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockProperties.StartupCheck;

/** What becomes of problems that a check found at startup. */
final class StartupProblems {

	private static final Logger logger = LoggerFactory.getLogger(StartupProblems.class);

	private static final String NEXT = System.lineSeparator() + "  - ";

	private StartupProblems() {
	}

	/**
	 * Refuses to start, or logs.
	 * @param mode which of the two
	 * @param what the sentence that introduces the problems
	 * @param where whose configuration to change
	 * @param problems one sentence each
	 */
	static void report(StartupCheck mode, String what, String where, List<String> problems) {
		String description = what + ":" + NEXT + String.join(NEXT, problems);
		if (mode == StartupCheck.FAIL) {
			throw new LockConfigurationException(description, "Change " + where
					+ " as said above, or accept the risk with distributed-lock.redis.startup-check=warn.");
		}
		logger.warn("{}", description);
	}

}
