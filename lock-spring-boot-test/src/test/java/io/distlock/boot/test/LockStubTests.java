package io.distlock.boot.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class LockStubTests {

	@Test
	void heldThenIsTheLockOfTheThreadUntilClosed() {
		try (LockStub lock = LockStub.held("stock:42").token(7)) {
			assertThat(LockContext.current()).containsSame(lock);
			assertThat(LockContext.fencingToken()).isEqualTo(7);
			assertThat(lock.key()).isEqualTo("stock:42");
			assertThat(lock.isHeld()).isTrue();
			lock.ensureHeld(Duration.ofSeconds(10));
			lock.extend(Duration.ofMinutes(1));
			assertThat(lock.extendAsync(Duration.ofMinutes(1))).isCompleted();
			assertThat(lock.remaining()).isEqualTo(Duration.ofMinutes(1));
		}
		assertThat(LockContext.current()).isEmpty();
	}

	@Test
	void heldWhenNestedThenInnermostIsCurrent() {
		try (LockStub outer = LockStub.held("a"); LockStub inner = LockStub.held("b")) {
			assertThat(LockContext.all()).containsExactly(inner, outer);
		}
	}

	@Test
	void loseThenOwnerNotices() {
		List<LockHandle> told = new ArrayList<>();
		try (LockStub lock = LockStub.held("stock:42").token(7)) {
			lock.onLost(told::add);
			lock.onLost((removed) -> told.clear()).close();
			lock.lose();
			assertThat(told).containsExactly(lock);
			assertThat(lock.isHeld()).isFalse();
			assertThat(lock.remaining()).isZero();
			assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::ensureHeld)
				.withMessageContaining("Lock 'stock:42' was lost")
				.satisfies((lost) -> assertThat(lost.fencingToken()).isEqualTo(7));
			assertThat(lock.extendAsync(Duration.ofMinutes(1))).isCompletedExceptionally();
			lock.onLost(told::add);
			assertThat(told).containsExactly(lock, lock);
		}
	}

	@Test
	void loseWhenCallbacksThrowThenTheOthersRunAllTheSame() {
		List<LockHandle> told = new ArrayList<>();
		try (LockStub lock = LockStub.held("stock:42")) {
			lock.onLost((lost) -> {
				throw new IllegalStateException("made up");
			});
			lock.onLost(told::add);
			lock.onLost((lost) -> {
				throw new AssertionError("made up last");
			});
			lock.onLost(told::add);
			assertThatExceptionOfType(AssertionError.class).isThrownBy(lock::lose).withMessage("made up last");
			assertThat(told).containsExactly(lock, lock);
			lock.lose();
			assertThat(told).as("each once").hasSize(2);
		}
	}

	@Test
	void closeThenNoLongerHeld() {
		LockStub lock = LockStub.held("stock:42");
		assertThat(lock.closeAsync()).isCompleted();
		lock.close();
		assertThat(lock.isHeld()).isFalse();
		assertThatIllegalStateException().isThrownBy(lock::ensureHeld).withMessage("Lock 'stock:42' was closed");
	}

}
