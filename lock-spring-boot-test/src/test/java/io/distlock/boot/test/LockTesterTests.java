package io.distlock.boot.test;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockRequest;
import io.distlock.LockStoreException;
import io.distlock.LockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/** The tester, and what is taken back when one of several tests of a context ends. */
@SpringJUnitConfig(LockTesterTests.Application.class)
@AutoConfigureDistributedLocks
class LockTesterTests {

	@Autowired
	private Jobs jobs;

	@Autowired
	private LockTemplate template;

	@Autowired
	private LockTester locks;

	@Autowired
	private TestedLocks tested;

	/** Its thread exists before the test, so it is not known to be of this test. */
	private ExecutorService otherThread;

	@BeforeEach
	void start() throws Exception {
		this.otherThread = Executors.newSingleThreadExecutor();
	}

	@AfterEach
	void stop() {
		this.otherThread.shutdownNow();
	}

	@Test
	void busyThenWaitOfTheLockIsLimited() {
		this.locks.busy("job:a");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.run("a"))
			.withMessageContaining("within 200ms, which is the waitTime of @AutoConfigureDistributedLocks")
			.withMessageContaining("LockTester.busy");
		assertThat(this.locks).refused("job:a").neverAcquired("job:a");
	}

	@Test
	void busyWhenClosedThenFree() {
		this.locks.busy("job:a").close();
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
		assertThat(this.locks).acquired("job:a").once();
	}

	@Test
	void busyWhenHeldThenSaysBy() {
		this.locks.busy("job:a");
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.locks.busy("job:a"))
			.withMessageContaining("LockTester.busy");
	}

	@Test
	void busyWhenAllPermitsThenRefused() {
		LockRequest permit = LockRequest.permit("pool", 2);
		this.locks.busy(permit);
		this.template.run(permit, (lock) -> {
		});
		this.locks.busy(permit);
		assertThat(this.template.tryAcquire(permit)).isEmpty();
		assertThat(this.locks).acquired("pool").once().refused("pool");
	}

	@Test
	void loseWhenReturnsThenOwnerKnows() {
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.jobs.runWithin("a", () -> {
			LockHandle lock = LockContext.current().orElseThrow();
			assertThat(lock.isHeld()).isTrue();
			this.locks.lose("job:a");
			assertThat(lock.isHeld()).isFalse();
		}));
		assertThat(this.locks).lost("job:a").nothingHeld();
	}

	@Test
	void loseWhenNobodyHoldsThenSaysSo() {
		assertThatIllegalStateException().isThrownBy(() -> this.locks.lose("job:typo"))
			.withMessage("Nobody holds lock 'job:typo', so it cannot get lost");
	}

	@Test
	void storeFailsThenOnlyLocksOfItsKeysFail() {
		try (LockTester.Fault fault = this.locks.storeFails("job:a")) {
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("a"))
				.withMessageContaining("a test lets the store fail");
			assertThat(this.jobs.run("b")).isEqualTo("job:b");
		}
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
	}

	@Test
	void storeFailsTwiceThenUntilBothFaultsHaveEnded() {
		try (LockTester.Fault outer = this.locks.storeFails("job:a")) {
			try (LockTester.Fault inner = this.locks.storeFails("job:a")) {
				assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("a"));
			}
			assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("a"));
		}
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
	}

	/** The time is that of the command timeout, which the engine keeps. */
	@Test
	void storeHangsThenCallerEndsAndNextOneWorks() {
		this.locks.storeHangs();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("a"));
		this.locks.storeHeals();
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
		assertThat(this.locks).acquired("job:a").once();
	}

	@Test
	void storeHangsWhileHeldThenReleaseEnds() {
		this.jobs.runWithin("a", this.locks::storeHangs);
		this.locks.storeHeals();
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
	}

	@Test
	void acquiredWhenNestedThenIsOne() {
		this.jobs.runWithin("a", () -> this.jobs.run("a"));
		assertThat(this.locks).acquired("job:a").once().nothingHeld();
	}

	@Test
	void assertionsWhenNotMetThenTellWhatHappened() {
		this.jobs.run("a");
		this.jobs.run("b");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locks).acquired("job:x"))
			.withMessageContaining("Lock 'job:x' was not acquired; acquired: ")
			.withMessageContaining("Lock 'job:a' was acquired");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locks).acquired("job:a").times(2))
			.withMessageContaining("Lock 'job:a' was acquired 1 times instead of 2");
		assertThatExceptionOfType(AssertionError.class)
			.isThrownBy(() -> assertThat(this.locks).acquired("job:b").before("job:a"))
			.withMessageContaining("Lock 'job:b' was not acquired before lock 'job:a'");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locks).neverAcquired("job:a"));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locks).refused("job:a"))
			.withMessageContaining("refused: none");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locks).lost("job:a"))
			.withMessageContaining("lost: none");
		assertThat(this.locks).acquired("job:a").once().before("job:b").once();
	}

	/** A store that is away must not look like a busy lock. */
	@Test
	void refusedWhenStoreFailedThenIsNotMet() {
		this.locks.storeFails();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("a"));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locks).refused("job:a"))
			.withMessageContaining("store failure");
	}

	@Test
	void nothingHeldWhenLeakedThenTellsWhat() {
		LockHandle leaked = this.template.acquire("leaked");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertThat(this.locks).nothingHeld())
			.withMessageContaining("Locks are still held: ")
			.withMessageContaining("'leaked'");
		leaked.close();
		assertThat(this.locks).nothingHeld();
	}

	@Test
	void endThenNothingOfTheTestIsLeft() throws Exception {
		elsewhere(() -> {
			TestRun run = this.tested.begin();
			this.locks.busy("job:a");
			assertThat(this.jobs.nightly("a")).isTrue();
			this.locks.storeFails();
			this.tested.end(run);
			return null;
		});
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
		assertThat(this.jobs.nightly("a")).isTrue();
	}

	@Test
	void endWhenBusyLockWasLostThenNoFailure() throws Exception {
		elsewhere(() -> {
			TestRun run = this.tested.begin();
			this.locks.busy("job:a");
			this.locks.lose("job:a");
			this.tested.end(run);
			return null;
		});
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
	}

	@Test
	void endOfOneThenWhatAnotherDidIsLeft() throws Exception {
		this.locks.busy("job:mine");
		assertThat(this.jobs.nightly("mine")).isTrue();
		this.locks.storeFails("job:failing");
		elsewhere(() -> {
			TestRun other = this.tested.begin();
			assertThat(this.jobs.nightly("other")).isTrue();
			// The same key, which the other test does not get.
			assertThat(this.jobs.nightly("mine")).isFalse();
			assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.run("mine"));
			this.locks.storeHeals();
			this.tested.end(other);
			return null;
		});
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.run("mine"));
		assertThat(this.jobs.nightly("mine")).isFalse();
		assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> this.jobs.run("failing"));
		assertThat(this.jobs.nightly("other")).isTrue();
	}

	@Test
	void endWhenFaultOfAnotherTestThenMinimumHoldIsEnded() throws Exception {
		elsewhere(() -> {
			TestRun other = this.tested.begin();
			assertThat(this.jobs.nightly("a")).isTrue();
			this.locks.busy("job:a");
			return other;
		});
		this.locks.storeFails();
		elsewhere(() -> {
			this.tested.end(this.tested.current());
			return null;
		});
		this.locks.storeHeals();
		assertThat(this.jobs.nightly("a")).isTrue();
		assertThat(this.jobs.run("a")).isEqualTo("job:a");
	}

	/** As in a pool whose thread runs another test while one waits. */
	@Test
	void endWhenTestRanWithinAnotherThenOuterGoesOn() throws Exception {
		TestRun third = elsewhere(this.tested::begin);
		this.jobs.run("outer");
		TestRun inner = this.tested.begin();
		this.jobs.run("inner");
		assertThat(this.locks).neverAcquired("job:outer");
		this.tested.end(inner);
		assertThat(this.locks).acquired("job:outer").once().neverAcquired("job:inner");
		elsewhere(() -> {
			this.tested.end(third);
			return null;
		});
	}

	/** The same key one after the other: the minimum hold of the later one stays. */
	@Test
	void endWhenAnotherTestHasTheMinimumHoldNowThenItIsLeft() throws Exception {
		List<TestRun> other = new ArrayList<>();
		elsewhere(() -> {
			other.add(this.tested.begin());
			assertThat(this.jobs.nightly("a")).isTrue();
			return null;
		});
		this.locks.lose("nightly:a");
		assertThat(this.jobs.nightly("a")).isTrue();
		elsewhere(() -> {
			this.tested.end(other.get(0));
			return null;
		});
		assertThat(this.jobs.nightly("a")).isFalse();
	}

	/** On threads of no test, so it may be of each. The last one of them ends it. */
	@Test
	void endWhenMinimumHoldMayBeOfAnotherTestThenItIsLeft() throws Exception {
		TestRun other = elsewhere(this.tested::begin);
		CompletableFuture.runAsync(() -> this.jobs.nightly("a")).join();
		elsewhere(() -> {
			this.tested.end(other);
			return null;
		});
		assertThat(this.jobs.nightly("a")).isFalse();
		this.tested.end(this.tested.current());
		TestRun next = this.tested.begin();
		assertThat(this.jobs.nightly("a")).isTrue();
		this.tested.end(next);
	}

	@Test
	void acquiredOnThreadOfOneTestThenCountsForIt() throws Exception {
		elsewhere(() -> {
			TestRun other = this.tested.begin();
			this.jobs.run("a");
			assertThat(this.locks).acquired("job:a").once();
			this.tested.end(other);
			return null;
		});
		assertThat(this.locks).neverAcquired("job:a");
	}

	@Test
	void acquiredOnThreadOfNoTestThenCountsForAll() throws Exception {
		TestRun other = elsewhere(this.tested::begin);
		CompletableFuture.runAsync(() -> this.jobs.run("a")).join();
		assertThat(this.locks).acquired("job:a").once();
		elsewhere(() -> {
			assertThat(this.locks).acquired("job:a").once();
			this.tested.end(other);
			return null;
		});
	}

	@Test
	void testerOnThreadThatTheTestStartedThenIsOfThisTest() throws Exception {
		TestRun other = elsewhere(this.tested::begin);
		this.jobs.run("a");
		Thread thread = new Thread(() -> {
			assertThat(this.locks).acquired("job:a").once();
			this.locks.busy("job:b");
		});
		thread.start();
		thread.join();
		elsewhere(() -> {
			this.tested.end(other);
			return null;
		});
		assertThatExceptionOfType(LockBusyException.class).isThrownBy(() -> this.jobs.run("b"));
	}

	@Test
	void testerOnThreadThatIsOfNoTestWhenSeveralRunThenSaysSo() throws Exception {
		ExecutorService third = Executors.newSingleThreadExecutor();
		TestRun other = elsewhere(() -> {
			TestRun run = this.tested.begin();
			third.submit(() -> {
			}).get();
			return run;
		});
		elsewhere(() -> {
			this.tested.end(other);
			return this.tested.begin();
		});
		assertThat(third
			.submit(() -> assertThatIllegalStateException().isThrownBy(() -> this.locks.busy("job:a"))
				.withMessageStartingWith("2 tests run, and this thread is not known to be of one of them"))
			.get()).isNotNull();
		elsewhere(() -> {
			this.tested.end(this.tested.current());
			return null;
		});
		third.shutdownNow();
	}

	@Test
	void testerWhenNoTestRunsThenSaysSo() {
		TestRun run = this.tested.current();
		this.tested.end(run);
		assertThatIllegalStateException().isThrownBy(() -> this.locks.busy("job:a"))
			.withMessageStartingWith("No test runs");
	}

	private <T> T elsewhere(Callable<T> test) throws Exception {
		return this.otherThread.submit(test).get();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(Jobs.class)
	static class Application {

	}

}
