package io.distlock.autoconfigure;

import java.time.Duration;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.observe.LockNotTaken;
import io.distlock.operations.LockOperations;
import io.distlock.test.FaultyLockStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Each hold is counted once, however it ends. */
class NamedMetersTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42").named("stock");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
		.observer(new BoundMeters(this.registry, "default"))
		.build();

	@AfterEach
	void close() {
		this.template.close();
	}

	private void nothingIsHeldAfterOneHold() {
		assertThat(this.registry.get("distributed.lock.held").gauge().value()).isZero();
		assertThat(this.registry.get("distributed.lock.waiting").gauge().value()).isZero();
		assertThat(this.registry.get("distributed.lock.hold").timer().count()).isEqualTo(1);
	}

	private double handovers(String how) {
		return this.registry.get("distributed.lock.handovers").tag("how", how).counter().count();
	}

	/** Readers get no hand-off from a writer: the store decides again. */
	@Test
	void aLockThatAThreadOfThisProcessReleasedToTheStoreWasWaitedFor() throws Exception {
		LockHandle held = this.template.acquire(LOCK);
		Thread waiter = new Thread(() -> this.template.acquire(LOCK.mode(LockMode.SHARED)).close());
		waiter.start();
		Awaitility.await().until(() -> this.registry.get("distributed.lock.waiting").gauge().value() == 1);
		Awaitility.await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
		held.close();
		waiter.join();
		assertThat(handovers("waited")).isOne();
		assertThat(handovers("here")).isZero();
	}

	@Test
	void callsWithoutALockAreCountedForItsName() {
		BoundMeters meters = new BoundMeters(this.registry, "audit");
		meters.notTaken(new LockNotTaken("stock", "A.b", LockNotTaken.Reason.BUSY));
		meters.notTaken(new LockNotTaken("stock", "A.b", LockNotTaken.Reason.STORE_FAILURE));
		meters.notTaken(new LockNotTaken("stock", "A.b", LockNotTaken.Reason.STORE_FAILURE));
		String[] tags = { "store", "audit", "name", "stock" };
		assertThat(this.registry.get("distributed.lock.skips").tags(tags).counter().count()).isOne();
		assertThat(this.registry.get("distributed.lock.runs.without.lock").tags(tags).counter().count()).isEqualTo(2);
		assertThat(this.registry.get("distributed.lock.wait").tags(tags).tag("outcome", "not-taken").timer().count())
			.isZero();
	}

	@Test
	void aLockThatNobodyHeldWasNotHandedOver() {
		this.template.acquire(LOCK).close();
		this.template.acquire(LOCK).close();
		assertThat(this.registry.get("distributed.lock.handovers").counters()).allMatch((each) -> each.count() == 0);
	}

	@Test
	void aLockThatVanishedBeforeItsRelease() {
		LockHandle lock = this.template.acquire(LOCK);
		this.server.flush();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		nothingIsHeldAfterOneHold();
	}

	@Test
	void aLockThatIsLostWhileItIsHeld() {
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		LockHandle lock = this.template.acquire(LOCK.leaseFor(Duration.ofSeconds(1)));
		Awaitility.await().until(() -> this.registry.get("distributed.lock.held").gauge().value() == 0);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		nothingIsHeldAfterOneHold();
	}

	/** The commands that follow the message are lost, so the release finds it out. */
	@Test
	void aLockThatWasReleasedByForceBeforeItsRelease() {
		LockHandle lock = this.template.acquire(LOCK);
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.LOSE_COMMAND);
		LockOperations.of(this.template).forceRelease("stock:42", "test", "alice");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(lock::close);
		nothingIsHeldAfterOneHold();
	}

}
