package io.distlock.adapters;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockException;
import io.distlock.LockStoreException;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spring.integration.LockTemplateLockRegistry;
import io.distlock.spring.shedlock.LockTemplateLockProvider;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;
import io.distlock.test.FaultyLockStore.Verb;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A store that cannot answer never looks like a busy lock. */
class DeadStoreTests {

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store).build();

	private final LockProvider provider = new LockTemplateLockProvider(this.template);

	@AfterEach
	void close() {
		this.store.heal();
		this.template.shutdown(Duration.ZERO);
	}

	private static LockConfiguration job() {
		return new LockConfiguration(ClockProvider.now(), "job", Duration.ofMinutes(5), Duration.ZERO);
	}

	@ParameterizedTest
	@EnumSource(names = { "BREAK_BEFORE", "REFUSE" })
	void lockOfAJobThenThrows(Fault fault) {
		this.store.inject(Verb.ACQUIRE, fault);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.provider.lock(job()));
	}

	@ParameterizedTest
	@EnumSource(names = { "BREAK_BEFORE", "REFUSE" })
	void tryLockThenThrows(Fault fault) {
		this.store.inject(Verb.ACQUIRE, fault);
		Lock lock = new LockTemplateLockRegistry(this.template, "integration").obtain("42");
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::tryLock);
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.tryLock(100, TimeUnit.MILLISECONDS));
	}

	@Test
	void extendOfAJobThenThrowsAndItCanStillBeUnlocked() {
		SimpleLock lock = this.provider.lock(job()).orElseThrow();
		this.store.inject(Verb.RENEW, Fault.REFUSE);
		assertThatExceptionOfType(LockStoreException.class)
			.isThrownBy(() -> lock.extend(Duration.ofMinutes(10), Duration.ZERO));
		this.store.heal();
		lock.unlock();
		assertThat(this.template.isLocked("job")).isFalse();
	}

	@Test
	void lockOfAJobWhenTheTemplateIsShutDownThenThrows() {
		this.template.shutdown(Duration.ZERO);
		assertThatExceptionOfType(LockException.class).isThrownBy(() -> this.provider.lock(job()));
	}

}
