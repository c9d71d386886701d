package io.distlock.test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;

import io.distlock.CloseableLockTemplate;
import io.distlock.EngineHandle;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The part of {@link LockTemplateContract} about extending a lock, and about the facts
 * that {@code ReentrantLock} tells of a lock.
 */
@SuppressWarnings({ "NullAway", "resource" })
abstract class ExtensionContract extends TemplateContractPart {

	/** Long enough for a busy machine to extend the lock in time. */
	private static final Duration SHORT = Duration.ofSeconds(5);

	private static final Duration LONGER = Duration.ofSeconds(60);

	/**
	 * The confirmed time, minus the drift and the time that a busy machine needs to look
	 * at it.
	 */
	private static final Duration CERTAIN = Duration.ofSeconds(30);

	ExtensionContract(ContractTemplates templates) {
		super(templates);
	}

	private LockRequest fixed() {
		return request().leaseFor(SHORT);
	}

	private static void assertHeldFor(LockHandle lock) {
		assertThat(lock.remaining()).isBetween(CERTAIN, LONGER);
		lock.ensureHeld(CERTAIN);
	}

	@Test
	@DisplayName("extends a fixed lease, which others see, and only then")
	void extendWhenFixedThenHeldForThatLong() throws Exception {
		CloseableLockTemplate one = template();
		AtomicReference<Duration> asked = new AtomicReference<>();
		LockHandle lock = briefly(Duration.ofSeconds(1), (lease) -> {
			asked.set(lease);
			LockHandle taken = one.acquire(waiting(request()).leaseFor(lease));
			taken.extend(LONGER);
			return taken;
		});
		assertHeldFor(lock);
		assertThatExceptionOfType(LockBusyException.class)
			.isThrownBy(() -> template().acquire(request().waitAtMost(asked.get().multipliedBy(2))));
		lock.close();
		// A caller that gave up waiting may leave the queue after the release.
		template().acquire(waiting(request())).close();
	}

	@Test
	@DisplayName("extends a lock that is renewed, and goes on renewing it")
	void extendWhenRenewedThenLongerAndRenewed() {
		LockHandle lock = template().acquire(request());
		lock.extend(LONGER);
		assertHeldFor(lock);
		lock.close();
	}

	@Test
	@DisplayName("never shortens a lock")
	void extendWhenShorterThanWhatIsLeftThenUnchanged() {
		LockHandle lock = template().acquire(request().leaseFor(LONGER));
		lock.extend(LockRequest.MIN_LEASE);
		assertHeldFor(lock);
		lock.close();
	}

	@Test
	@DisplayName("extends a lock without a thread, and each of its forks")
	void extendWhenAsyncThenHeldForThatLong() {
		CloseableLockTemplate one = template();
		LockHandle lock = async(one, fixed()).join();
		lock.extendAsync(LONGER).toCompletableFuture().join();
		assertHeldFor(lock);
		LockHandle fork = ((EngineHandle) lock).fork(request()).orElseThrow();
		lock.close();
		fork.extend(LONGER.plus(LONGER));
		assertThat(fork.remaining()).isGreaterThan(LONGER.plus(CERTAIN));
		fork.closeAsync().toCompletableFuture().join();
		assertThat(template().tryAcquire(key())).isPresent();
	}

	@Test
	@DisplayName("extends all handles of a nested acquisition, from any thread")
	void extendWhenNestedThenAllHandles() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle outer = one.acquire(fixed());
		LockHandle inner = one.acquire(fixed());
		elsewhere(() -> {
			inner.extend(LONGER);
			return null;
		});
		assertHeldFor(outer);
		inner.close();
		assertHeldFor(outer);
		outer.close();
		assertThat(template().tryAcquire(key())).isPresent();
	}

	@Test
	@DisplayName("extends a reader beyond its own lease, and other readers not")
	void extendWhenSharedThenOnlyThatReader() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle reader = one.acquire(request().leaseFor(CERTAIN).mode(LockMode.SHARED));
		LockRequest brief = waiting(request()).mode(LockMode.SHARED);
		LockHandle other = elsewhere(
				() -> briefly(Duration.ofSeconds(1), (lease) -> one.acquire(brief.leaseFor(lease))));
		Duration left = other.remaining();
		reader.extend(LONGER);
		assertHeldFor(reader);
		assertThat(other.remaining()).isLessThanOrEqualTo(left);
		Awaitility.await().atMost(LONG).until(() -> !other.isHeld());
		assertThat(template().tryAcquire(key())).isEmpty();
		assertHeldFor(reader);
		reader.close();
	}

	@Test
	@DisplayName("extends each of several keys")
	void extendWhenSeveralThenEach() {
		CloseableLockTemplate one = template();
		LockHandle both = one.acquire(LockRequest.ofAll(List.of(key(), key() + ":2")).leaseFor(SHORT));
		both.extend(LONGER);
		assertHeldFor(both);
		assertThat(both.parts()).allSatisfy(ExtensionContract::assertHeldFor);
		both.close();
		assertThat(template().tryAcquire(key())).isPresent();
	}

	@Test
	@DisplayName("leaves a minimum hold as it is")
	void extendWhenMinimumHoldThenFreeAfterTheMinimum() {
		CloseableLockTemplate one = template();
		// Created before the minimum begins, because a first connection may take longer
		// than that.
		CloseableLockTemplate other = template();
		LockHandle lock = one.acquire(fixed().holdAtLeast(SHORT.multipliedBy(2)));
		lock.extend(LONGER);
		assertHeldFor(lock);
		lock.close();
		assertThat(other.tryAcquire(key())).isEmpty();
		other.acquire(waiting(request())).close();
	}

	@Test
	@DisplayName("cannot extend what is lost, closed, or by a time out of range")
	void extendWhenNotHeldThenRefused() throws Exception {
		CloseableLockTemplate one = template();
		LockHandle lost = briefly(LockRequest.MIN_LEASE, (lease) -> one.acquire(waiting(request().leaseFor(lease))));
		Awaitility.await().until(() -> !lost.isHeld());
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> lost.extend(LONGER));
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> lost.extendAsync(LONGER).toCompletableFuture().join())
			.withCauseInstanceOf(LockLostException.class);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lost::close);
		LockHandle closed = one.acquire(waiting(request()));
		assertThatIllegalArgumentException().isThrownBy(() -> closed.extend(Duration.ZERO))
			.withMessageContaining(key())
			.withMessageContaining("0s");
		closed.close();
		assertThatIllegalStateException().isThrownBy(() -> closed.extend(LONGER));
		assertThat(template().tryAcquire(key())).isPresent();
	}

	@Test
	@DisplayName("knows how often the calling thread holds a lock, and whether any thread does")
	void holdCountWhenNestedThenCounted() throws Exception {
		CloseableLockTemplate one = template();
		CloseableLockTemplate other = template();
		assertThat(one.holdCount(key())).isZero();
		assertThat(other.isLocked(key())).isFalse();
		Lock view = one.getLock(key());
		view.lock();
		LockHandle nested = one.acquire(request());
		assertThat(one.holdCount(key())).isEqualTo(2);
		assertThat(one.isHeldByCurrentThread(key())).isTrue();
		assertThat(other.isLocked(key())).isTrue();
		assertThat(other.isHeldByCurrentThread(key())).isFalse();
		assertThat(elsewhere(() -> one.isHeldByCurrentThread(key()))).isFalse();
		nested.close();
		assertThat(one.holdCount(key())).isOne();
		view.unlock();
		assertThat(one.isHeldByCurrentThread(key())).isFalse();
		assertThat(other.isLocked(key())).isFalse();
		LockHandle owner = async(one, request()).join();
		assertThat(one.holdCount(key())).isZero();
		assertThat(one.isLocked(key())).isTrue();
		owner.close();
		LockHandle lost = briefly(LockRequest.MIN_LEASE, (lease) -> one.acquire(waiting(request().leaseFor(lease))));
		Awaitility.await().until(() -> !lost.isHeld());
		assertThat(one.holdCount(key())).isZero();
		assertThatIllegalArgumentException().isThrownBy(() -> one.isLocked(" "));
		assertThatIllegalArgumentException().isThrownBy(() -> one.holdCount(""));
	}

}
