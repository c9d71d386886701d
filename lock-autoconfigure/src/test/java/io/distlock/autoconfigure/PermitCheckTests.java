package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.Set;

import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockRequest;
import io.distlock.LockTemplate;
import io.distlock.OnStoreFailure;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.Capability;
import io.distlock.spi.LockStore;
import io.distlock.spring.InvalidLockDefinitionException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Semaphores on a store that cannot keep permits, as Redlock. */
class PermitCheckTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis());

	private static LockStore withoutPermits() {
		InMemoryLockStore store = new InMemoryLockStore();
		return (LockStore) Proxy.newProxyInstance(PermitCheckTests.class.getClassLoader(),
				new Class<?>[] { LockStore.class }, (proxy, method, arguments) -> method.getName().equals("unsupported")
						? Set.of(Capability.PERMITS) : method.invoke(store, arguments));
	}

	@Test
	void semaphoresAreRefusedTogether() {
		this.runner.withBean(LockStore.class, PermitCheckTests::withoutPermits)
			.withBean(Mails.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDefinitionException.class)
				.hasMessageContaining("2 annotated methods cannot work:")
				.hasMessageContaining(
						"Bean 'permitCheckTests.Mails': @DistributedSemaphore on PermitCheckTests.Mails.send(): "
								+ "there are no permits: the memory of this process cannot keep permits. Use one Redis, Sentinel or Cluster for semaphores, or "
								+ "leave them out")
				.hasMessageContaining("Mails.fetch()"));
	}

	@Test
	void theStoreOfTheSemaphoreCounts() {
		this.runner.withBean(LockStore.class, PermitCheckTests::withoutPermits)
			.withBean(Mails.class)
			.withPropertyValues("distributed-lock.stores.other.type=memory", "distributed-lock.locks.mails.store=other")
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockDefinitionException.class)
				.hasMessageContaining("Mails.fetch(): there are no permits")
				.hasMessageNotContaining("Mails.send()"));
		this.runner.withBean(LockStore.class, PermitCheckTests::withoutPermits)
			.withBean(Mails.class)
			.withPropertyValues("distributed-lock.stores.other.type=memory", "distributed-lock.locks.mails.store=other",
					"distributed-lock.locks.inbox.store=other")
			.run((context) -> context.getBean(Mails.class).send());
	}

	@Test
	void locksAreFine() {
		this.runner.withBean(LockStore.class, PermitCheckTests::withoutPermits)
			.withBean(Prices.class)
			.run((context) -> {
				context.getBean(Prices.class).refresh();
				LockTemplate locks = context.getBean(LockTemplate.class);
				assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(() -> locks.acquire(LockRequest.of("mails").permits(2)))
					.withMessage("There are no permits of 'mails': the memory of this process cannot keep permits");
			});
	}

	@Test
	void semaphoresAreFineElsewhere() {
		this.runner.withBean(LockStore.class, InMemoryLockStore::new)
			.withBean(Mails.class)
			.run((context) -> context.getBean(Mails.class).send());
	}

	static class Mails {

		@DistributedSemaphore(name = "mails", permits = "2", onStoreFailure = OnStoreFailure.RUN_WITHOUT_LOCK)
		public void send() {
		}

		@DistributedSemaphore(name = "inbox", permits = "2")
		public void fetch() {
		}

	}

	static class Prices {

		@DistributedLock(name = "prices")
		public void refresh() {
		}

	}

}
