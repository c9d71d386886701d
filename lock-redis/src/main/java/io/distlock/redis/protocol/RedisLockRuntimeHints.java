package io.distlock.redis.protocol;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers the scripts of this module for native images. */
final class RedisLockRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/distlock/redis/protocol/verbs/*.lua");
		hints.resources().registerPattern("io/distlock/redis/protocol/steps/*.lua");
	}

}
