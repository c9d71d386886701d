package io.distlock.autoconfigure.tracing;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import io.micrometer.common.KeyValue;
import io.micrometer.common.docs.KeyName;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockHandle;
import io.distlock.LockLostException;
import io.distlock.LockMode;
import io.distlock.LockRequest;
import io.distlock.autoconfigure.LockNames;
import io.distlock.engine.LockTemplateBuilder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.operations.LockOperations;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.TestThreads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Each hold is counted once, however it ends. */
class LockTimersTests {

	private static final LockRequest LOCK = LockRequest.of("stock:42").named("stock");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final InMemoryLockServer server = new InMemoryLockServer();

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore(this.server));

	private final CloseableLockTemplate template = LockTemplateBuilder.forStore(this.store)
		.observer(new LockObservations(observing(this.registry), null, null, null, new LockNames()))
		.build();

	@AfterEach
	void close() {
		this.template.close();
	}

	private static ObservationRegistry observing(MeterRegistry meters) {
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
		return observations;
	}

	private int active(String observation) {
		LongTaskTimer timer = this.registry.find(observation + ".active").longTaskTimer();
		return (timer != null) ? timer.activeTasks() : 0;
	}

	private void nothingIsHeldAfterOneHold() {
		assertThat(active("lock.hold")).isZero();
		assertThat(active("lock.acquire")).isZero();
		assertThat(this.registry.get("lock.hold").timers()).singleElement()
			.satisfies((timer) -> assertThat(timer.count()).isOne());
	}

	private long granted(String how) {
		Timer timer = this.registry.find("lock.acquire").tag("lock.outcome", how).timer();
		return (timer != null) ? timer.count() : 0;
	}

	/** Readers get no hand-off from a writer: the store decides again. */
	@Test
	void aLockThatAThreadOfThisProcessReleasedToTheStoreWasWaitedFor() throws Exception {
		LockHandle held = this.template.acquire(LOCK);
		Thread waiter = new Thread(() -> this.template.acquire(LOCK.mode(LockMode.SHARED)).close());
		waiter.start();
		Awaitility.await().until(() -> active("lock.acquire") == 1);
		Awaitility.await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
		held.close();
		waiter.join();
		assertThat(granted("waited")).isOne();
		assertThat(granted("here")).isZero();
	}

	@Test
	void aMinimumHoldThatIsLostAfterItsRelease() {
		LockHandle lock = this.template.acquire(LOCK.holdAtLeast(Duration.ofSeconds(20)));
		assertThat(active("lock.hold")).isOne();
		this.store.inject(FaultyLockStore.Verb.RENEW, FaultyLockStore.Fault.BREAK_BEFORE);
		lock.close();
		this.server.flush();
		this.store.heal();
		Awaitility.await().until(this.template::isIdle);
		nothingIsHeldAfterOneHold();
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
		LockHandle lock = this.template.acquire(LOCK.leaseFor(Duration.ofSeconds(3)));
		Awaitility.await().atMost(TestThreads.LIMIT).until(() -> active("lock.hold") == 0);
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

	@Test
	void aRegistryThatHandlesNothingThenNothingIsObserved() {
		LockObservations unhandled = new LockObservations(ObservationRegistry.create(), null, null, null,
				new LockNames());
		assertThat(unhandled.acquiring("default", LOCK)).isNull();
		LockObservations absent = new LockObservations(ObservationRegistry.NOOP, null, null, null, new LockNames());
		assertThat(absent.acquiring("default", LOCK)).isNull();
	}

	@Test
	void observationsHaveTheKeysOfTheirDocumentation() {
		Set<String> names = new TreeSet<>();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {

			@Override
			public void onStop(Observation.Context context) {
				names.add(context.getName());
				assertThat(context.getLowCardinalityKeyValues()).extracting(KeyValue::getKey)
					.containsExactlyInAnyOrder(Stream.of(LockObservationDocumentation.LowCardinalityKeyNames.values())
						.map(KeyName::asString)
						.toArray(String[]::new));
				assertThat(context.getHighCardinalityKeyValues()).extracting(KeyValue::getKey)
					.isSubsetOf(Stream.of(LockObservationDocumentation.HighCardinalityKeyNames.values())
						.map(KeyName::asString)
						.toList());
			}

			@Override
			public boolean supportsContext(Observation.Context context) {
				return true;
			}

		});
		try (CloseableLockTemplate observed = LockTemplateBuilder.forStore(new InMemoryLockStore(this.server))
			.observer(new LockObservations(observations, null, null, null, new LockNames()))
			.build()) {
			observed.acquire(LOCK.calledFrom("Stock.sell")).close();
		}
		assertThat(names).containsExactly("lock.acquire", "lock.hold");
	}

}
