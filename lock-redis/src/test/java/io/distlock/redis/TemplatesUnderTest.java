package io.distlock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.test.TestThreads;
import org.awaitility.Awaitility;

import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Templates, each like a process of its own, and threads that use them. */
final class TemplatesUnderTest implements AutoCloseable {

	/** Polls so seldom that only a message can be why a waiter is served. */
	static final RedisLockStoreSettings SELDOM = RedisLockStoreSettings.builder()
		.pollInterval(Duration.ofSeconds(30))
		.build();

	static final Duration LONG = Duration.ofSeconds(20);

	static final LockSettings PATIENT = LockSettings.builder().commandTimeout(Duration.ofSeconds(10)).build();

	private final List<CloseableLockTemplate> templates = new ArrayList<>();

	private final RedisConnectionFactory factory;

	private final RedisLockStoreSettings settings;

	TemplatesUnderTest(RedisConnectionFactory factory, RedisLockStoreSettings settings) {
		this.factory = factory;
		this.settings = settings;
	}

	/** A template that is connected. */
	CloseableLockTemplate add() {
		return add(LockSettings.DEFAULTS);
	}

	/** With time for a machine that runs many tests at once. */
	CloseableLockTemplate addPatient() {
		return add(PATIENT);
	}

	/** With settings of its own. */
	CloseableLockTemplate add(LockSettings settings) {
		CloseableLockTemplate template = LockTemplateBuilder.forStore(new RedisLockStore(this.factory, this.settings))
			.settings(settings)
			.build();
		this.templates.add(template);
		awaitWorking(template, "first:" + template.instance());
		return template;
	}

	static void awaitWorking(CloseableLockTemplate template, String key) {
		Awaitility.await().atMost(LONG).ignoreExceptions().until(() -> {
			template.acquire(LockRequest.of(key).waitAtMost(Duration.ZERO)).close();
			return true;
		});
	}

	/**
	 * Acquires a lock, again if a command was out of time because the machine stalled.
	 */
	static LockHandle acquired(Callable<LockHandle> acquisition) {
		return Awaitility.await()
			.atMost(LONG)
			.pollInSameThread()
			.ignoreExceptionsInstanceOf(LockStoreException.class)
			.until(acquisition, Objects::nonNull);
	}

	/** Starts a thread that waits for the lock and returns its token. */
	static FutureTask<Long> waiter(CloseableLockTemplate template, String key) {
		return waiter(template, key, LONG);
	}

	/** Starts a thread that waits for the lock for so long at most. */
	static FutureTask<Long> waiter(CloseableLockTemplate template, String key, Duration atMost) {
		return TestThreads.inThread(() -> {
			try (LockHandle lock = template.acquire(LockRequest.of(key).waitAtMost(atMost))) {
				return lock.fencingToken();
			}
		});
	}

	static <T> T get(FutureTask<T> task, Duration atMost) throws Exception {
		return task.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void close() {
		this.templates.forEach(CloseableLockTemplate::close);
	}

}
