package io.distlock.test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import io.distlock.CloseableLockTemplate;
import io.distlock.OnLost;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Bodies under a lock: it is released whatever they do. On virtual time. */
class LockedBodyTests {

	private static final LockRequest REQUEST = LockRequest.of("mail");

	private final LossWorld world = new LossWorld();

	@AfterEach
	void close() {
		this.world.close();
	}

	private CompletableFuture<String> async(LockRequest request, Function<LockHandle, CompletionStage<String>> body) {
		return this.world.template.executeAsync(request, body).toCompletableFuture();
	}

	private static Throwable failure(CompletableFuture<?> future) {
		return Awaitility.await().until(() -> {
			try {
				future.get(10, TimeUnit.SECONDS);
				return Optional.<Throwable>empty();
			}
			catch (ExecutionException ex) {
				return Optional.of(ex.getCause());
			}
			catch (CancellationException ex) {
				return Optional.<Throwable>of(ex);
			}
		}, Optional::isPresent).orElseThrow();
	}

	private void assertReleased() {
		Awaitility.await().until(this.world.template::isIdle);
		Optional<LockHandle> free = this.world.elsewhere.tryAcquire("mail");
		assertThat(free).as("released in the store").isPresent();
		free.get().close();
	}

	@Test
	void executeAsyncThenResultAfterTheRelease() throws Exception {
		CompletableFuture<String> work = new CompletableFuture<>();
		AtomicInteger current = new AtomicInteger();
		CompletableFuture<String> result = async(REQUEST, (lock) -> {
			current.set(LockContext.all().size());
			assertThat(LockContext.current()).containsSame(lock);
			return work;
		});
		Awaitility.await().until(() -> current.get() == 1);
		assertThat(this.world.elsewhere.tryAcquire("mail")).isEmpty();
		assertThat(result).isNotDone();
		work.complete("sent");
		assertThat(result.get(10, TimeUnit.SECONDS)).isEqualTo("sent");
		assertReleased();
		assertThat(LockContext.current()).isEmpty();
	}

	@Test
	void executeAsyncWhenTheBodyThrowsThenReleased() {
		assertThat(failure(async(REQUEST, (lock) -> {
			throw new IllegalArgumentException("no address");
		}))).isInstanceOf(IllegalArgumentException.class).hasMessage("no address");
		assertReleased();
	}

	@Test
	void executeAsyncWhenTheBodyReturnsNoStageThenReleased() {
		assertThat(failure(async(REQUEST, (lock) -> null))).isInstanceOf(IllegalStateException.class)
			.hasMessageStartingWith("The body under lock 'mail' returned null instead of a stage");
		assertReleased();
	}

	@Test
	void executeAsyncWhenTheStageFailsThenReleased() {
		assertThat(failure(async(REQUEST, (lock) -> CompletableFuture.failedFuture(new IOException("refused")))))
			.isInstanceOf(IOException.class);
		assertThat(failure(async(REQUEST,
				(lock) -> CompletableFuture.failedFuture(new CompletionException(new IOException("refused"))))))
			.isInstanceOf(IOException.class);
		assertReleased();
	}

	/** For instance a stage of a library in another version. */
	@Test
	void executeAsyncWhenTheStageCannotBeAwaitedThenReleased() {
		for (Throwable thrown : List.of(new NoSuchMethodError("whenComplete"), new IllegalStateException("closed"),
				new OutOfMemoryError("test"))) {
			CompletableFuture<String> stage = new CompletableFuture<>() {
				@Override
				public CompletableFuture<String> whenComplete(BiConsumer<? super String, ? super Throwable> action) {
					throw LockedBodyTests.<RuntimeException>unchecked(thrown);
				}
			};
			assertThat(failure(async(REQUEST, (lock) -> stage))).isSameAs(thrown);
			assertReleased();
		}
	}

	@SuppressWarnings("unchecked")
	private static <T extends Throwable> T unchecked(Throwable thrown) throws T {
		throw (T) thrown;
	}

	@Test
	void executeAsyncWhenCancelledWhileItRunsThenTheStageIsCancelledAndReleased() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<LockHandle> begun = new CompletableFuture<>();
		CompletableFuture<String> result = async(REQUEST, (lock) -> {
			begun.complete(lock);
			return work;
		});
		begun.join();
		result.cancel(true);
		Awaitility.await().until(work::isCancelled);
		assertReleased();
	}

	@Test
	void executeAsyncWhenCancelledWhileItWaitsThenTheBodyNeverRuns() {
		AtomicInteger runs = new AtomicInteger();
		LockHandle other = this.world.elsewhere.acquire(REQUEST);
		CompletableFuture<String> result = async(REQUEST.waitAtMost(Duration.ofSeconds(20)), (lock) -> {
			runs.incrementAndGet();
			return CompletableFuture.completedFuture("sent");
		});
		result.cancel(true);
		other.close();
		assertReleased();
		assertThat(runs).hasValue(0);
	}

	@Test
	void executeAsyncWhenBusyThenFailsAndTheBodyNeverRuns() {
		LockHandle other = this.world.elsewhere.acquire(REQUEST);
		AtomicInteger runs = new AtomicInteger();
		assertThat(failure(async(REQUEST, (lock) -> {
			runs.incrementAndGet();
			return CompletableFuture.completedFuture("sent");
		}))).isInstanceOf(LockBusyException.class);
		other.close();
		assertThat(runs).hasValue(0);
	}

	@Test
	void executeAsyncWhenTheLockIsLostThenTheResultSaysSo() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = async(REQUEST, (lock) -> work);
		this.world.loseAll();
		this.world.witness.awaitLost();
		work.complete("sent");
		assertThat(failure(result)).isInstanceOf(LockLostException.class);
	}

	@Test
	void executeAsyncWhenTheLockIsLostAndTheBodyFailsThenTheLossIsSuppressed() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = async(REQUEST, (lock) -> work);
		this.world.loseAll();
		this.world.witness.awaitLost();
		work.completeExceptionally(new IOException("refused"));
		assertThat(failure(result)).isInstanceOf(IOException.class)
			.satisfies((ex) -> assertThat(ex.getSuppressed()).hasOnlyElementsOfType(LockLostException.class));
	}

	@Test
	void executeAsyncWhenALossInterruptsThenTheStageIsCancelled() {
		CompletableFuture<String> work = new CompletableFuture<>();
		CompletableFuture<String> result = async(REQUEST.onLost(OnLost.INTERRUPT), (lock) -> work);
		this.world.loseAll();
		assertThat(failure(result)).isInstanceOf(LockLostException.class);
		assertThat(work).isCancelled();
	}

	@Test
	void executeAsyncWithAKeyThenTheDefaults() throws Exception {
		CompletionStage<String> result = this.world.template.executeAsync("mail",
				(lock) -> CompletableFuture.completedFuture(lock.key()));
		assertThat(result.toCompletableFuture().get(10, TimeUnit.SECONDS)).isEqualTo("mail");
		assertReleased();
	}

	@Test
	void tryExecuteThenResultAndReleased() {
		assertThat(this.world.template.tryExecute(REQUEST, (lock) -> {
			assertThat(LockContext.current()).containsSame(lock);
			return "sent";
		})).contains("sent");
		assertReleased();
	}

	@Test
	void tryExecuteWhenBusyThenEmptyAndTheBodyNeverRuns() {
		LockHandle other = this.world.elsewhere.acquire(REQUEST);
		AtomicInteger runs = new AtomicInteger();
		assertThat(this.world.template.tryExecute("mail", (lock) -> runs.incrementAndGet())).isEmpty();
		assertThat(this.world.template.tryRun("mail", (lock) -> runs.incrementAndGet())).isFalse();
		assertThat(runs).hasValue(0);
		other.close();
	}

	@Test
	void tryExecuteWhenTheBodyReturnsNullThenRefusedAndReleased() {
		assertThatIllegalStateException().isThrownBy(() -> this.world.template.tryExecute(REQUEST, (lock) -> null))
			.withMessage("The body of tryExecute under lock 'mail' returned null, which would look like a busy lock. "
					+ "Return a value, or use tryRun");
		assertReleased();
	}

	@Test
	void tryExecuteWhenTheBodyThrowsThenReleased() {
		assertThatIOException().isThrownBy(() -> this.world.template.tryExecute(REQUEST, (lock) -> {
			throw new IOException("refused");
		}));
		assertThatIOException().isThrownBy(() -> this.world.template.tryRun(REQUEST, (lock) -> {
			throw new IOException("refused");
		}));
		assertReleased();
	}

	@Test
	void tryRunThenTrueAndTheLossIsThrown() {
		assertThat(this.world.template.tryRun(REQUEST, (lock) -> assertThat(LockContext.current()).containsSame(lock)))
			.isTrue();
		assertReleased();
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.world.template.tryRun(REQUEST, (lock) -> this.world.loseAll()))
			.satisfies((loss) -> assertThat(loss.key()).isEqualTo("mail"));
	}

	@Test
	void tryAcquireWithAKeyThenTriesOnceWhateverTheDefaultWait() {
		InMemoryLockServer server = new InMemoryLockServer();
		try (CloseableLockTemplate patient = LockTemplateBuilder.forStore(new InMemoryLockStore(server))
			.settings(LockSettings.builder().waitTime(Duration.ofDays(1)).build())
			.build();
				CloseableLockTemplate other = LockTemplateBuilder.forStore(new InMemoryLockStore(server)).build();
				LockHandle taken = other.acquire("mail")) {
			assertThat(patient.tryAcquire("mail")).isEmpty();
			assertThat(patient.tryRun("mail", (lock) -> assertThat(taken.isHeld()).isFalse())).isFalse();
		}
	}

	@Test
	void onLostWhenTheRegistrationIsClosedThenNotCalled() {
		AtomicInteger calls = new AtomicInteger();
		LockHandle lock = this.world.template.acquire(REQUEST);
		LockHandle nested = this.world.template.acquire(REQUEST);
		lock.onLost((lost) -> calls.addAndGet(100)).close();
		nested.onLost((lost) -> calls.addAndGet(1000));
		nested.close();
		LockHandle.Registration kept = lock.onLost((lost) -> calls.incrementAndGet());
		this.world.loseAll();
		Awaitility.await().until(() -> calls.get() > 0);
		this.world.witness.awaitLost();
		kept.close();
		assertThat(calls).hasValue(1);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
	}

	@Test
	void onLostOfSeveralWhenTheRegistrationIsClosedThenNotCalled() {
		AtomicInteger calls = new AtomicInteger();
		LockHandle both = this.world.template.acquire(LockRequest.ofAll(List.of("a", "b")));
		both.onLost((lost) -> calls.addAndGet(100)).close();
		both.onLost((lost) -> calls.incrementAndGet());
		this.world.loseAll();
		Awaitility.await().until(() -> calls.get() > 0);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(both::close);
		assertThat(calls).hasValue(1);
	}

}
