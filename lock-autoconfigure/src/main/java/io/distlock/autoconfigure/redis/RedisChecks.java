package io.distlock.autoconfigure.redis;

import java.util.List;
import java.util.function.Supplier;

import io.distlock.autoconfigure.StoreCheck;
import io.distlock.autoconfigure.StoreCheck.Findings;
import io.distlock.redis.RedisStartupCheck;

/** Creates the checks of stores on Redis. */
final class RedisChecks {

	static final String PROPERTY = "redis.startup-check";

	private RedisChecks() {
	}

	static StoreCheck of(RedisStartupCheck check, String path, StoreCheck.Mode mode) {
		return of(check::run, check::place, path, mode);
	}

	static StoreCheck of(Supplier<RedisStartupCheck.Result> check, Supplier<String> place, String path,
			StoreCheck.Mode mode) {
		return new StoreCheck(mode, () -> place.get() + " cannot keep locks reliably",
				"the configuration of the server or of the application", path + PROPERTY,
				() -> findings(check.get(), place));
	}

	private static Findings findings(RedisStartupCheck.Result result, Supplier<String> place) {
		if (result instanceof RedisStartupCheck.Result.Unreachable unreachable) {
			return Findings.unreachable(place.get() + ": " + unreachable.message(), unreachable.cause());
		}
		if (result instanceof RedisStartupCheck.Result.Refused refused) {
			return Findings.refused(refused.problem());
		}
		return (result instanceof RedisStartupCheck.Result.Problems found) ? Findings.problems(found.problems())
				: Findings.passed(List.of());
	}

}
