package io.distlock.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The part of {@link FairLockTemplateContract} about readers and writers. */
@SuppressWarnings({ "NullAway", "resource" })
abstract class FairReaderTests {

	private static final Duration LONG = Duration.ofSeconds(20);

	/** Another thread than the one that holds the lock, which would nest. */
	private final ExecutorService other = Executors.newSingleThreadExecutor();

	abstract CloseableLockTemplate template();

	abstract LockRequest request();

	@AfterEach
	void endThread() {
		this.other.shutdownNow();
	}

	private LockRequest write() {
		return request();
	}

	private LockRequest read() {
		return request().mode(LockMode.SHARED);
	}

	private <T> T elsewhere(Callable<T> body) throws Exception {
		return get(this.other.submit(body));
	}

	private static <T> T get(Future<T> future) throws Exception {
		return future.get(LONG.toSeconds(), TimeUnit.SECONDS);
	}

	private static CompletableFuture<LockHandle> async(CloseableLockTemplate template, LockRequest request) {
		return template.acquireAsync(request.waitAtMost(LONG)).toCompletableFuture();
	}

	@Test
	@DisplayName("lets readers come before a writer of another process for a short time only")
	void acquireWhenAWriterWaitsElsewhereThenReadersStopJoining() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(template(), write());
		Awaitility.await().atMost(LONG).until(() -> elsewhere(() -> {
			Optional<LockHandle> joined = one.tryAcquire(read());
			joined.ifPresent(LockHandle::close);
			return joined.isEmpty();
		}));
		CompletableFuture<LockHandle> late = async(one, read());
		reader.close();
		LockHandle alone = get(writer);
		assertThat(late).isNotDone();
		alone.close();
		assertThat(get(late).fencingToken()).isGreaterThan(alone.fencingToken());
		get(late).close();
	}

	@Test
	@DisplayName("may be joined again when a writer elsewhere has given up")
	void acquireWhenTheWriterGivesUpThenReadersJoin() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(template(), write());
		Awaitility.await().atMost(LONG).until(() -> elsewhere(() -> {
			Optional<LockHandle> joined = one.tryAcquire(read());
			joined.ifPresent(LockHandle::close);
			return joined.isEmpty();
		}));
		CompletableFuture<LockHandle> late = async(one, read());
		writer.cancel(false);
		try (LockHandle joined = get(late)) {
			assertThat(reader.isHeld()).isTrue();
		}
		reader.close();
	}

}
