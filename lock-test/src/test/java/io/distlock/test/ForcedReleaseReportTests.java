package io.distlock.test;

import java.lang.reflect.Proxy;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.ForcedRelease;
import io.distlock.operations.LockOperations;
import io.distlock.spi.LockStore;

import static org.assertj.core.api.Assertions.assertThat;

/** What an operator reads who releases a lock by force. */
class ForcedReleaseReportTests {

	private final InMemoryLockServer server = new InMemoryLockServer();

	/** Happens after the operator has looked at the lock. */
	private volatile Runnable meanwhile = () -> {
	};

	private final CloseableLockTemplate operator = LockTemplateBuilder
		.forStore(observed(new InMemoryLockStore(this.server)))
		.build();

	private final CloseableLockTemplate holder = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
		.build();

	private final CloseableLockTemplate waiter = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
		.build();

	@AfterEach
	void close() {
		this.operator.close();
		this.holder.close();
		this.waiter.close();
	}

	/** It does not say that nobody holds the lock, because the next process does. */
	@Test
	void forceReleaseWhenTheLockPassesOnMeanwhileThenReportSaysSo() throws Exception {
		LockHandle first = this.holder.acquire("stock");
		Future<LockHandle> next = TestThreads.inThread(() -> this.waiter.acquire("stock"));
		LockOperations operations = operations();
		Awaitility.await().until(() -> operations.find("stock").waiters().size() == 1);
		this.meanwhile = first::close;
		ForcedRelease report = operations.forceRelease("stock", "the import hangs", "alice");
		assertThat(TestThreads.get(next).isHeld()).isTrue();
		assertThat(report.ended()).isEmpty();
		assertThat(report.seen()).isEqualTo(1);
		assertThat(report.describe())
			.isEqualTo("Lock 'stock' passed to another holder while alice released it by force: "
					+ "the import hangs; no hold was ended, release it again if it still hangs; 1 waiting");
	}

	@Test
	void forceReleaseWhenFreeThenReportSaysSo() {
		ForcedRelease report = operations().forceRelease("stock", "the import hangs", "alice");
		assertThat(report.seen()).isZero();
		assertThat(report.describe())
			.isEqualTo("Lock 'stock' was not held when alice released it by force: the import hangs; 0 waiting");
	}

	private LockOperations operations() {
		return LockOperations.of(this.operator);
	}

	private LockStore observed(LockStore store) {
		return (LockStore) Proxy.newProxyInstance(LockStore.class.getClassLoader(), new Class<?>[] { LockStore.class },
				(proxy, method, args) -> {
					Object answer = method.invoke(store, args);
					return method.getName().equals("inspect")
							? ((CompletionStage<?>) answer).whenComplete((seen, failure) -> this.meanwhile.run())
							: answer;
				});
	}

}
