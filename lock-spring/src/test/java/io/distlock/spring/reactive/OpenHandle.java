package io.distlock.spring.reactive;

import java.time.Duration;
import java.util.function.Consumer;

import io.distlock.LockHandle;

/** A handle that is never lost. */
abstract class OpenHandle implements LockHandle {

	@Override
	public String key() {
		return "key";
	}

	@Override
	public long fencingToken() {
		return 1;
	}

	@Override
	public boolean isHeld() {
		return true;
	}

	@Override
	public Duration remaining() {
		return Duration.ofSeconds(30);
	}

	@Override
	public void ensureHeld() {
	}

	@Override
	public Registration onLost(Consumer<LockHandle> callback) {
		return () -> {
		};
	}

	@Override
	public void close() {
		closeAsync();
	}

}
