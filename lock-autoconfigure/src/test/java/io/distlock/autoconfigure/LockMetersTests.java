package io.distlock.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;

import io.distlock.ClockJump;
import io.distlock.CloseableLockTemplate;
import io.distlock.LockLoss;
import io.distlock.LockOverrun;
import io.distlock.LossReason;
import io.distlock.observe.LockNotTaken;
import io.distlock.observe.StoreCommand;

import static org.assertj.core.api.Assertions.assertThat;

/** Each store has its meters in each registry, in whichever order they come. */
class LockMetersTests {

	private static final String COMMANDS = "lock.store.commands";

	private static final LockNotTaken NOT_TAKEN = new LockNotTaken("stock", "A.b", LockNotTaken.Reason.SWITCHED_OFF);

	private final LockMeters meters = new LockMeters(() -> null, (name) -> "audit", (id) -> Optional.empty(),
			new LockNames());

	@Test
	void aRegistryThatComesWhileAStoreIsBoundThenHasItsMetersToo() throws InterruptedException {
		CountDownLatch reached = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		MeterRegistry slow = new SimpleMeterRegistry();
		slow.config().meterFilter(new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				if ("audit".equals(id.getTag("lock.store"))) {
					reached.countDown();
					await(goOn);
				}
				return id;
			}
		});
		this.meters.bindTo(slow);
		MeterRegistry late = new SimpleMeterRegistry();
		Thread store = new Thread(() -> this.meters.notTaken(NOT_TAKEN));
		Thread registry = new Thread(() -> this.meters.bindTo(late));
		store.start();
		await(reached);
		registry.start();
		Awaitility.await()
			.until(() -> registry.getState() == Thread.State.WAITING || registry.getState() == Thread.State.TERMINATED);
		goOn.countDown();
		store.join();
		registry.join();
		this.meters.commandEnded("audit", StoreCommand.ACQUIRE, 1, null);
		assertThat(List.of(slow, late))
			.allSatisfy((each) -> assertThat(each.get(COMMANDS).tags("lock.store", "audit").timers())
				.anySatisfy((timer) -> assertThat(timer.count()).isOne()));
	}

	@Test
	void registriesThatComeTogetherThenAllCount() throws InterruptedException {
		List<MeterRegistry> registries = Stream.<MeterRegistry>generate(SimpleMeterRegistry::new).limit(8).toList();
		CountDownLatch begin = new CountDownLatch(1);
		List<Thread> threads = registries.stream().map((registry) -> new Thread(() -> {
			await(begin);
			this.meters.bindTo(registry);
		})).toList();
		threads.forEach(Thread::start);
		begin.countDown();
		for (Thread thread : threads) {
			thread.join();
		}
		this.meters.commandEnded("default", StoreCommand.ACQUIRE, 1, null);
		assertThat(registries)
			.allSatisfy((each) -> assertThat(each.get(COMMANDS).tags("lock.store", "default").timers())
				.anySatisfy((timer) -> assertThat(timer.count()).isOne()));
	}

	@Test
	void notTakenThenLooksUpTheStoresOnce() {
		AtomicInteger lookups = new AtomicInteger();
		LockMeters configured = new LockMetricsAutoConfiguration().lockMeters(new None<CloseableLockTemplate>(),
				new None<>() {
					@Override
					public Stream<ConfiguredStores> stream() {
						lookups.incrementAndGet();
						return Stream.empty();
					}
				}, new LockNames());
		MeterRegistry registry = new SimpleMeterRegistry();
		configured.bindTo(registry);
		configured.notTaken(NOT_TAKEN);
		configured.notTaken(NOT_TAKEN);
		assertThat(lookups).hasValue(1);
		assertThat(registry.get("lock.not.taken")
			.tags("lock.store", "default", "lock.reason", "switched-off")
			.counter()
			.count()).isEqualTo(2);
	}

	@Test
	void whatGoesWrongIsCountedForItsStore() {
		MeterRegistry registry = new SimpleMeterRegistry();
		this.meters.bindTo(registry);
		this.meters.lost(loss("audit"));
		this.meters.clockJumped(new ClockJump("audit", Duration.ofSeconds(1)));
		this.meters
			.heldTooLong(new LockOverrun("audit", "", "key", 1, Instant.EPOCH, Duration.ZERO, "main", "", List.of()));
		assertCount(registry, "lock.lost", "audit", "lock.reason", "expired", 1);
		assertCount(registry, "lock.lost", "default", "lock.reason", "expired", 0);
		assertCount(registry, "lock.clock.jumps", "audit", "lock.store", "audit", 1);
		assertCount(registry, "lock.held.too.long", "audit", "lock.store", "audit", 1);
		this.meters.lost(loss("default"));
		assertCount(registry, "lock.lost", "default", "lock.reason", "expired", 1);
	}

	private static LockLoss loss(String store) {
		return new LockLoss(store, "", "key", 1, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, Duration.ZERO, "main", "",
				LossReason.EXPIRED);
	}

	private static void assertCount(MeterRegistry registry, String meter, String store, String tag, String value,
			int count) {
		assertThat(registry.get(meter).tags("lock.store", store, tag, value).functionCounter().count())
			.isEqualTo(count);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** No bean. */
	private static class None<T> implements ObjectProvider<T> {

		@Override
		public Stream<T> stream() {
			return Stream.empty();
		}

	}

}
