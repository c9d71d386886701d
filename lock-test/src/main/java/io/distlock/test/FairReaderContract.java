package io.distlock.test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.operations.LockOperations;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static io.distlock.test.TestThreads.get;
import static org.assertj.core.api.Assertions.assertThat;

/** The part of {@link FairLockTemplateContract} about readers and writers. */
@SuppressWarnings({ "NullAway", "resource" })
abstract class FairReaderContract extends TemplateContractPart {

	FairReaderContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest write() {
		return request();
	}

	private LockRequest read() {
		return request().mode(LockMode.SHARED);
	}

	@Test
	@DisplayName("lets readers come before a writer of another process for a short time only")
	void acquireWhenAWriterWaitsElsewhereThenReadersStopJoining() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(template(), write());
		awaitRefused(one);
		CompletableFuture<LockHandle> late = async(one, read());
		reader.close();
		LockHandle alone = get(writer);
		assertThat(late).isNotDone();
		alone.close();
		assertThat(get(late).fencingToken()).isGreaterThan(alone.fencingToken());
		get(late).close();
	}

	@Test
	@DisplayName("is not joined by other processes while a writer waits behind readers of its own process")
	void acquireWhenAWriterWaitsBehindReadersOfItsProcessThenOtherProcessesWait() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(one, write());
		awaitRefused(two);
		CompletableFuture<LockHandle> late = async(two, read());
		assertThat(reader.isHeld()).isTrue();
		reader.close();
		LockHandle alone = get(writer);
		assertThat(late).isNotDone();
		assertThat(alone.fencingToken()).isGreaterThan(reader.fencingToken());
		alone.close();
		assertThat(get(late).fencingToken()).isGreaterThan(alone.fencingToken());
		get(late).close();
	}

	@Test
	@DisplayName("may be joined again when a writer behind readers of its own process has given up")
	void acquireWhenTheWriterBehindReadersOfItsProcessGivesUpThenReadersJoin() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate two = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(one, write());
		awaitRefused(two);
		CompletableFuture<LockHandle> here = async(one, read());
		CompletableFuture<LockHandle> there = async(two, read());
		writer.cancel(false);
		get(here).close();
		get(there).close();
		assertThat(reader.isHeld()).isTrue();
		reader.close();
	}

	/**
	 * Waits until a single attempt of a reader is refused, which shows that a writer is
	 * queued.
	 */
	private void awaitRefused(CloseableLockTemplate template) {
		Awaitility.await().atMost(LONG).until(() -> elsewhere(() -> {
			Optional<LockHandle> joined = template.tryAcquire(read());
			joined.ifPresent(LockHandle::close);
			return joined.isEmpty();
		}));
	}

	@Test
	@DisplayName("may be joined again when a writer elsewhere has given up")
	void acquireWhenTheWriterGivesUpThenReadersJoin() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(template(), write());
		awaitRefused(one);
		CompletableFuture<LockHandle> late = async(one, read());
		writer.cancel(false);
		try (LockHandle joined = get(late)) {
			assertThat(reader.isHeld()).isTrue();
		}
		reader.close();
	}

	/** Needs no message, because the engine asks the store after a second. */
	@Test
	@DisplayName("lets no reader in before a writer of another process that has waited for a second")
	void tryAcquireWhenAWriterWaitsElsewhereForASecondThenBehindIt() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(read());
		CompletableFuture<LockHandle> writer = async(template(), write());
		Awaitility.await().until(() -> !LockOperations.of(one).find(key()).waiters().isEmpty());
		// For this time the engine need not ask the store.
		Pause.of(Duration.ofMillis(1200));
		assertThat(elsewhere(() -> one.tryAcquire(read().waitAtMost(Duration.ofMillis(300))))).isEmpty();
		reader.close();
		get(writer).close();
	}

}
