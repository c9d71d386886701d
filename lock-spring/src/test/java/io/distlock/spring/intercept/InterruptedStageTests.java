package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import io.distlock.CloseableLockTemplate;
import io.distlock.DistributedLock;
import io.distlock.LockHandle;
import io.distlock.LockInterruptedException;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.definition.LockedMethods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A stage whose own thread is interrupted while it waits for the lock. */
class InterruptedStageTests {

	@Test
	void lockThatIsGrantedBetweenTheInterruptAndTheCancellationIsReleased() throws Exception {
		try (CloseableLockTemplate template = LockTemplateBuilder.forStore(new InMemoryLockStore()).build()) {
			CompletableFuture<?> result = begin(grantingAtTheInterrupt(template));
			assertThat(Thread.interrupted()).isTrue();
			assertThat(result).isCompletedExceptionally();
			assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> rethrowCause(result));
			Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> !template.isLocked("job"));
			assertThat(template.isIdle()).isTrue();
		}
	}

	private static void rethrowCause(CompletableFuture<?> result) throws Throwable {
		throw result.handle((value, failure) -> failure).join();
	}

	private static CompletableFuture<?> begin(LockTemplate template) throws Exception {
		LockedMethods methods = new LockedMethods(new DefaultListableBeanFactory(), Map.of());
		Jobs target = new Jobs();
		Method method = Jobs.class.getMethod("run");
		LockedCall call = new LockedCall(new RunUnlockedPolicyTests.Call(method, target), target,
				methods.get(method, Jobs.class), template, null);
		Object result = StageStyle.ON_OWN_THREAD.run(call, (refused, reason) -> {
			throw reason;
		});
		return (CompletableFuture<?>) result;
	}

	private static LockTemplate grantingAtTheInterrupt(LockTemplate template) {
		return (LockTemplate) Proxy.newProxyInstance(LockTemplate.class.getClassLoader(),
				new Class<?>[] { LockTemplate.class }, (proxy, method, arguments) -> {
					CompletableFuture<LockHandle> granted = template.acquireAsync((LockRequest) arguments[0])
						.toCompletableFuture();
					return new GrantedAtTheInterrupt(granted);
				});
	}

	/** The interrupt ends the wait, and the lock comes before anybody can cancel. */
	private static final class GrantedAtTheInterrupt extends CompletableFuture<LockHandle> {

		private final CompletableFuture<LockHandle> granted;

		GrantedAtTheInterrupt(CompletableFuture<LockHandle> granted) {
			this.granted = granted;
		}

		@Override
		public LockHandle get() throws InterruptedException {
			complete(this.granted.join());
			throw new InterruptedException();
		}

	}

	static class Jobs {

		@DistributedLock(name = "job")
		public CompletableFuture<String> run() {
			throw new AssertionError("runs although its thread was interrupted");
		}

	}

}
