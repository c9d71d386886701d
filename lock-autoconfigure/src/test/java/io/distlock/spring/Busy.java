package io.distlock.spring;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;

/** Asks whether a lock is held, from a thread that holds nothing. */
public final class Busy {

	/** The common pool may have no thread left while others wait for each other. */
	public static final Executor NEW_THREAD = (task) -> new Thread(task).start();

	private Busy() {
	}

	/**
	 * Tries to take the lock and gives it back.
	 * @param template whom to ask
	 * @param key the lock
	 * @return whether somebody holds it
	 */
	public static boolean isBusy(LockTemplate template, String key) {
		return CompletableFuture.supplyAsync(() -> {
			Optional<LockHandle> taken = template.tryAcquire(LockRequest.of(key).waitAtMost(Duration.ZERO));
			taken.ifPresent(LockHandle::close);
			return taken.isEmpty();
		}, NEW_THREAD).join();
	}

}
