package io.distlock.autoconfigure.redis;

import java.util.function.Supplier;

import io.distlock.autoconfigure.StoreCheck;
import io.distlock.redis.RedisStartupCheck;
import io.distlock.spi.StoreCheckResult;

/** Creates the checks of stores on Redis. */
final class RedisChecks {

	static final String PROPERTY = "redis.startup-check";

	private RedisChecks() {
	}

	static StoreCheck of(RedisStartupCheck check, String path, StoreCheck.Mode mode) {
		return of(check::run, check::place, path, mode);
	}

	static StoreCheck of(Supplier<StoreCheckResult> check, Supplier<String> place, String path, StoreCheck.Mode mode) {
		return new StoreCheck(mode, () -> place.get() + " cannot keep locks reliably",
				"the configuration of the server or of the application", path + PROPERTY,
				() -> at(place.get(), check.get()));
	}

	private static StoreCheckResult at(String place, StoreCheckResult result) {
		return (result instanceof StoreCheckResult.Unreachable unreachable)
				? new StoreCheckResult.Unreachable(place + ": " + unreachable.message(), unreachable.cause()) : result;
	}

}
