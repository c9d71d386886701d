package io.distlock.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockBusyException;
import io.distlock.LockHandle;
import io.distlock.LockRequest;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockSettings;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.spi.LockStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static io.distlock.test.TestThreads.get;
import static io.distlock.test.TestThreads.inThread;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests what a user of the template may rely on with every store. Extend this class and
 * return new stores of your kind, all of them on one server. Each test uses separate
 * keys, so that they may run at the same time.
 */
@SuppressWarnings({ "NullAway", "resource" })
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
public abstract class LockTemplateContract {

	private final ContractTemplates templates = new ContractTemplates(this::newStore, this::newTemplate,
			this::freesLostLocks);

	/**
	 * Creates a store, not started yet.
	 * @return a new client of the one server
	 */
	protected abstract LockStore newStore();

	/**
	 * Creates a template.
	 * @param store the store that keeps its locks, not started yet
	 * @param settings its settings
	 * @return the template of {@link LockTemplateBuilder}, or another template that must
	 * do the same
	 */
	protected CloseableLockTemplate newTemplate(LockStore store, LockSettings settings) {
		return LockTemplateBuilder.forStore(store).settings(settings).build();
	}

	/**
	 * Returns whether others may acquire a lock as soon as it was lost, as with one
	 * store. A lock that is in several stores and was lost in one stays taken in the
	 * others until its holder has released it.
	 * @return {@code true}, unless the template has several stores
	 */
	protected boolean freesLostLocks() {
		return true;
	}

	/**
	 * Returns how often a lock is acquired and released to see whether anything is left
	 * behind.
	 * @return a number that is large enough to show what piles up; smaller for a slow
	 * store
	 */
	protected int cycles() {
		return 3_000;
	}

	@AfterEach
	void closeTemplates() {
		this.templates.close();
	}

	ContractTemplates templates() {
		return this.templates;
	}

	@Nested
	@DisplayName("A template")
	class Template extends HoldContract {

		Template() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("An asynchronous acquisition")
	class Async extends AsyncTemplateContract {

		Async() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("A limit of waiters")
	class Crowd extends CrowdContract {

		Crowd() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("A shared lock")
	class SharedMode extends SharedModeContract {

		SharedMode() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("As java.util.concurrent.locks.Lock, it")
	class JavaLock extends JavaLockContract {

		JavaLock() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("A handle")
	class Extension extends ExtensionContract {

		Extension() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("Text from elsewhere")
	class FromElsewhere extends ForeignTextContract {

		FromElsewhere() {
			super(LockTemplateContract.this.templates());
		}

	}

	@Nested
	@DisplayName("Several keys, and a minimum hold")
	class SeveralAndMinimum extends TemplateContractPart {

		SeveralAndMinimum() {
			super(LockTemplateContract.this.templates());
		}

		@Test
		@DisplayName("all or none")
		void acquireWhenSeveralThenAllOrNone() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate other = template();
			String first = key() + ":1";
			String second = key() + ":2";
			LockRequest both = LockRequest.ofAll(List.of(second, first));
			LockHandle all = one.acquire(both);
			assertThat(all.isHeld()).isTrue();
			assertThat(other.tryAcquire(LockRequest.of(first))).isEmpty();
			assertThat(other.tryAcquire(LockRequest.of(second))).isEmpty();
			all.close();
			LockHandle busy = other.acquire(second);
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> one.acquire(both))
				.satisfies((ex) -> assertThat(ex.key()).isEqualTo(second));
			assertThat(other.tryAcquire(LockRequest.of(first))).as("given back").hasValueSatisfying(LockHandle::close);
			busy.close();
			one.acquireAsync(both).toCompletableFuture().join().close();
			Awaitility.await().until(one::isIdle);
		}

		@Test
		@DisplayName("stays taken for the rest of the minimum, then is free")
		void closeWhenEarlierThanTheMinimumThenTakenForTheRest() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate other = template();
			Duration minimum = Duration.ofMillis(600);
			long begun = System.nanoTime();
			one.acquire(request().holdAtLeast(minimum)).close();
			try (LockHandle next = other.acquire(waiting(request()))) {
				assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(minimum);
				assertThat(next.isHeld()).isTrue();
			}
			Awaitility.await().until(one::isIdle);
		}

	}

	@Nested
	@DisplayName("A nested acquisition")
	class Nesting extends TemplateContractPart {

		Nesting() {
			super(LockTemplateContract.this.templates());
		}

		@Test
		@DisplayName("shares the hold; only the outermost close releases")
		void acquireWhenNestedThenReleasedByOutermost() {
			CloseableLockTemplate one = template();
			CloseableLockTemplate two = template();
			LockHandle outer = one.acquire(request());
			LockHandle inner = one.acquire(request());
			assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
			inner.close();
			assertThat(outer.isHeld()).isTrue();
			assertThat(two.tryAcquire(request())).isEmpty();
			outer.close();
			assertThat(two.tryAcquire(request())).isPresent();
		}

		@Test
		@DisplayName("with a shorter lease never shortens the outer one")
		void acquireWhenNestedShorterThenLeaseStays() {
			CloseableLockTemplate one = template();
			LockHandle outer = one.acquire(request().leaseFor(Duration.ofSeconds(30)));
			one.acquire(request().leaseFor(Duration.ofMillis(200))).close();
			assertThat(outer.remaining()).isGreaterThan(Duration.ofSeconds(15));
			assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> template().acquire(request().waitAtMost(Duration.ofMillis(600))));
			outer.close();
		}

		@Test
		@DisplayName("with a longer lease never lengthens the outer one")
		void acquireWhenNestedLongerThenLeaseStays() {
			CloseableLockTemplate one = template();
			LockHandle outer = one.acquire(request().leaseFor(Duration.ofSeconds(10)));
			LockHandle inner = one.acquire(request().leaseFor(Duration.ofSeconds(60)));
			LockHandle renewed = one.acquire(request());
			assertThat(List.of(outer, inner, renewed))
				.allSatisfy((lock) -> assertThat(lock.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(10)));
			renewed.close();
			inner.close();
			assertThat(outer.isHeld()).isTrue();
			outer.close();
		}

		@Test
		@DisplayName("by another thread is no nesting")
		void acquireWhenOtherThreadThenBusy() throws Exception {
			CloseableLockTemplate one = template();
			one.acquire(request());
			assertThat(get(inThread(() -> one.tryAcquire(request())))).isEmpty();
		}

	}

	@Nested
	@DisplayName("Mutual exclusion")
	class Exclusion extends TemplateContractPart {

		Exclusion() {
			super(LockTemplateContract.this.templates());
		}

		@Test
		@DisplayName("holds for many threads of several templates, and tokens only rise")
		void runWhenManyThreadsThenCounterExact() throws Exception {
			int rounds = 40;
			List<CloseableLockTemplate> nodes = List.of(template(), template());
			int[] counter = new int[1];
			List<Long> tokens = new ArrayList<>();
			List<TestThreads.Task<?>> tasks = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				CloseableLockTemplate node = nodes.get(i % nodes.size());
				tasks.add(inThread(() -> {
					for (int round = 0; round < rounds; round++) {
						node.run(waiting(request()), (lock) -> {
							int read = counter[0];
							Thread.yield();
							counter[0] = read + 1;
							tokens.add(lock.fencingToken());
						});
					}
					return null;
				}));
			}
			for (TestThreads.Task<?> task : tasks) {
				get(task);
			}
			assertThat(counter[0]).isEqualTo(8 * rounds);
			assertThat(tokens).isSorted().doesNotHaveDuplicates();
			nodes.forEach((node) -> Awaitility.await().until(node::isIdle));
		}

		@Test
		@DisplayName("leaves nothing in memory after thousands of cycles")
		void runWhenManyCyclesThenNothingLeft() {
			CloseableLockTemplate one = template();
			for (int i = 0; i < cycles(); i++) {
				one.run(LockRequest.of(key() + (i % 100)), (lock) -> {
				});
			}
			Awaitility.await().until(one::isIdle);
		}

	}

}
