package io.distlock.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import io.distlock.Holder;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;

/** Sends commands to a store as an engine does. */
final class Commands {

	/** With time for a machine that runs many tests at once. */
	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private static final Holder HOLDER = new Holder("shop", "host", "engine", "", "Some.method(ü)", Instant.EPOCH);

	private Commands() {
	}

	/** Asks for a lock, and does not wait for it. */
	static AcquireCommand acquire(String key, RequestId request, Duration lease) {
		return new AcquireCommand(key, request, lease, Sharing.EXCLUSIVE, false, 1, TIMEOUT, HOLDER);
	}

	/** Asks for a lock, or for a place in its queue. */
	static AcquireCommand queue(String key, RequestId request, Duration lease) {
		return new AcquireCommand(key, request, lease, Sharing.EXCLUSIVE, true, 1, TIMEOUT, HOLDER);
	}

	/** Waits for an answer. */
	static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
	}

}
