package io.distlock.test;

import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;

import io.distlock.LockHandle;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The one hold that the readers of a process share, and its renewal. */
class ReaderRenewalTests extends AbstractVirtualTimeTests {

	private static final LockRequest READ = LockRequest.of("prices").mode(LockMode.SHARED);

	ReaderRenewalTests() {
		super(LockSettings.builder().waitTime(Duration.ZERO).leaseTime(Duration.ofMillis(1500)).build(),
				LockSettings.DEFAULTS);
	}

	/** The hold of a thread that ends without releasing it. */
	private LockHandle abandoned() throws Exception {
		AtomicReference<Thread> reader = new AtomicReference<>();
		FutureTask<LockHandle> task = TestThreads.inWaitingThread(() -> {
			reader.set(Thread.currentThread());
			return this.template.acquire(READ);
		});
		LockHandle lock = TestThreads.get(task);
		reader.get().join();
		return lock;
	}

	@Test
	void acquireWhenAllReadersBeforeHaveDiedThenRenewedForTheNewOne() throws Exception {
		LockHandle dead = abandoned();
		this.clock.advance(Duration.ofMillis(600));
		assertThat(this.store.count(FaultyLockStore.Verb.RENEW)).as("nobody is there to be renewed for").isZero();
		try (LockHandle reader = this.template.acquire(READ)) {
			this.clock.advance(Duration.ofSeconds(4));
			assertThat(reader.isHeld()).isTrue();
			assertThat(dead.isHeld()).isFalse();
		}
		Awaitility.await().until(this.template::isIdle);
	}

	@Test
	void acquireWhenAReaderNestsForLongerThenItsLeaseStays() throws Exception {
		try (LockHandle other = TestThreads.get(TestThreads.inWaitingThread(() -> this.template.acquire(READ)))) {
			LockHandle reader = this.template.acquire(READ.leaseFor(Duration.ofMillis(600)));
			LockHandle nested = this.template.acquire(READ);
			this.clock.advance(Duration.ofMillis(610));
			assertThat(other.isHeld()).isTrue();
			assertThat(nested.isHeld()).isFalse();
			assertThat(reader.isHeld()).isFalse();
		}
	}

}
