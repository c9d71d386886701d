package io.distlock.adapters;

import java.time.Duration;

import io.distlock.LockLostException;
import io.distlock.LockTemplate;
import io.distlock.test.TestThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.LockRegistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/** Locks with a time to live, which Spring Integration has since version 7. */
class TimedLockTests {

	private static final Duration LONG = Duration.ofMinutes(5);

	private static final Duration SHORT = Duration.ofMillis(150);

	private final ConfigurableApplicationContext application = AdapterContract.start(Files.class);

	private final LockRegistry<DistributedLock> registry = this.application.getBean(Files.class).registry;

	private final LockTemplate locks = this.application.getBean(LockTemplate.class);

	@AfterEach
	void close() {
		this.application.close();
	}

	@Test
	void lockThenTakenForItsTimeAndTheLossIsTold() {
		DistributedLock lock = this.registry.obtain("short");
		lock.lock(Duration.ofSeconds(5));
		await().atMost(LONG).until(() -> !this.locks.isLocked("integration:short"));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::unlock);
		lock.lock();
		lock.unlock();
	}

	@Test
	void unlockWithinTheTimeThenFree() throws Exception {
		DistributedLock lock = this.registry.obtain("long");
		lock.lock(LONG);
		assertThat(TestThreads.get(TestThreads.inThread(() -> lock.tryLock(SHORT, LONG)))).isFalse();
		lock.unlock();
		assertThat(lock.tryLock(Duration.ZERO, LONG)).isTrue();
		lock.unlock();
		assertThat(this.locks.isLocked("integration:long")).isFalse();
	}

	@Test
	void lockWhileItIsHeldThenReentrantAndTheFirstTimeCounts() throws Exception {
		DistributedLock lock = this.registry.obtain("nested");
		lock.lock(LONG);
		assertThat(lock.tryLock(Duration.ZERO, SHORT)).isTrue();
		lock.unlock();
		assertThat(this.locks.isLocked("integration:nested")).isTrue();
		lock.unlock();
		assertThat(this.locks.isLocked("integration:nested")).isFalse();
	}

	@Test
	void lockWhenTheTimeIsShorterThanAnyLeaseThenRefused() {
		DistributedLock lock = this.registry.obtain("none");
		assertThatIllegalArgumentException().isThrownBy(() -> lock.lock(Duration.ofMillis(1)));
		assertThatIllegalArgumentException().isThrownBy(() -> lock.tryLock(SHORT, Duration.ZERO));
	}

	@Import({ AdapterContract.Application.class, SharedMemory.class })
	static class Files {

		@Autowired
		LockRegistry<DistributedLock> registry;

	}

}
