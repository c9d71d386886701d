package io.distlock.test;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.EngineHandle;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockScopes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** Nested acquisitions of a lock that no thread owns. On virtual time. */
class ForkedHandleTests {

	private static final LockRequest REQUEST = LockRequest.of("mail");

	private final LossWorld world = new LossWorld();

	@AfterEach
	void close() {
		this.world.close();
	}

	private LockHandle async(LockRequest request) throws Exception {
		return this.world.template.acquireAsync(request).toCompletableFuture().get(10, TimeUnit.SECONDS);
	}

	@Test
	void forkThenReleasedWithTheLastHandle() throws Exception {
		LockHandle outer = async(REQUEST);
		LockHandle fork = LockScopes.fork(outer, REQUEST).orElseThrow();
		assertThat(fork.fencingToken()).isEqualTo(outer.fencingToken());
		assertThat(LockScopes.isOwnedByThread(fork)).isFalse();
		outer.close();
		assertThat(outer.isHeld()).isFalse();
		assertThat(((EngineHandle) outer).isClosed()).isTrue();
		assertThat(fork.isHeld()).isTrue();
		assertThat(this.world.elsewhere.tryAcquire("mail")).isEmpty();
		LockHandle another = LockScopes.fork(outer, REQUEST).orElseThrow();
		fork.close();
		another.close();
		assertThat(LockScopes.fork(outer, REQUEST)).isEmpty();
		assertThat(LockScopes.fork(fork, REQUEST)).isEmpty();
		this.world.elsewhere.tryAcquire("mail").orElseThrow().close();
	}

	@Test
	void forkWhenSharedThenReleasedWithTheLastHandle() throws Exception {
		LockRequest shared = REQUEST.mode(LockMode.SHARED);
		LockHandle outer = async(shared);
		LockHandle fork = LockScopes.fork(outer, shared).orElseThrow();
		fork.close();
		assertThat(outer.isHeld()).isTrue();
		assertThat(this.world.elsewhere.tryAcquire("mail")).isEmpty();
		outer.close();
		this.world.elsewhere.tryAcquire("mail").orElseThrow().close();
	}

	@Test
	void forkWhenTheModeIsStrongerThenCovers() throws Exception {
		LockHandle outer = async(REQUEST);
		LockScopes.fork(outer, REQUEST.mode(LockMode.SHARED)).orElseThrow().close();
		assertThat(outer.isHeld()).isTrue();
		outer.close();
	}

	@Test
	void forkWhenTheModeIsWeakerThenRefused() throws Exception {
		LockHandle outer = async(REQUEST.mode(LockMode.SHARED));
		assertThatIllegalStateException().isThrownBy(() -> LockScopes.fork(outer, REQUEST))
			.withMessageStartingWith("Lock 'mail' is held by the calling method in another mode");
		outer.close();
		assertThat(this.world.template.isIdle()).isTrue();
	}

	@Test
	void forkWhenAPermitThenEachTakesItsOwn() throws Exception {
		LockRequest permit = LockRequest.permit("mail", 2);
		LockHandle outer = async(permit);
		assertThat(LockScopes.fork(outer, permit)).isEmpty();
		assertThatIllegalStateException().isThrownBy(() -> LockScopes.fork(outer, REQUEST));
		outer.close();
	}

	@Test
	void forkWhenAThreadOwnsItThenItAcquiresAgainItself() {
		try (LockHandle outer = this.world.template.acquire(REQUEST)) {
			assertThat(LockScopes.isOwnedByThread(outer)).isTrue();
			assertThat(LockScopes.fork(outer, REQUEST)).isEmpty();
		}
	}

	@Test
	void forkOfSeveralThenByPart() throws Exception {
		LockHandle both = async(LockRequest.ofAll(List.of("a", "b")));
		assertThat(LockScopes.fork(both, LockRequest.of("a"))).isEmpty();
		LockScopes.fork(both.parts().get(0), LockRequest.of("a")).orElseThrow().close();
		assertThat(both.isHeld()).isTrue();
		both.close();
	}

	@Test
	void forkWhenLostThenRefusedAndItsHandlesReportTheLoss() throws Exception {
		AtomicInteger calls = new AtomicInteger();
		LockHandle outer = async(REQUEST);
		LockHandle fork = LockScopes.fork(outer, REQUEST).orElseThrow();
		fork.onLost((lost) -> {
			assertThat(lost).isSameAs(fork);
			calls.incrementAndGet();
		});
		this.world.loseAll();
		Awaitility.await().until(() -> calls.get() == 1);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> LockScopes.fork(outer, REQUEST));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(fork::close);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(outer::close);
		assertThat(LockScopes.fork(outer, REQUEST)).as("nothing is left to share").isEmpty();
	}

}
