package io.distlock.autoconfigure.redis;

import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;

import io.distlock.autoconfigure.LockProperties.StartupCheck;
import io.distlock.redis.RedisStartupCheck.Result;

/** Looks at the server once all beans are there, and acts as configured. */
final class RedisStartupCheckRunner implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(RedisStartupCheckRunner.class);

	private final Supplier<Result> check;

	private final StartupCheck mode;

	RedisStartupCheckRunner(Supplier<Result> check, StartupCheck mode) {
		this.check = check;
		this.mode = mode;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.mode == StartupCheck.OFF) {
			return;
		}
		Result result = this.check.get();
		if (result instanceof Result.Problems found) {
			StartupProblems.report(this.mode, "Redis cannot keep locks reliably", "the server's configuration",
					found.problems());
		}
		else if (result instanceof Result.Unreachable unreachable) {
			// An application must be able to start while Redis is away: its locks
			// fail one by one, and work when Redis is back.
			logger.warn("{}: whether it can keep locks was not checked", unreachable.message(), unreachable.cause());
		}
	}

}
