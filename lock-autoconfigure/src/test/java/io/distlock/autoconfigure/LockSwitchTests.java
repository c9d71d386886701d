package io.distlock.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.FencingToken;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.LockTemplate;
import io.distlock.OnBusy;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.spi.LockStore;
import io.distlock.spring.LockConditionException;
import io.distlock.spring.startup.LockDefinition;
import io.distlock.spring.startup.LockDefinitions;
import io.distlock.test.FaultyLockStore;
import io.distlock.test.FaultyLockStore.Fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Locks that are switched off, conditions, and what is done when a lock is busy. */
@ExtendWith(OutputCaptureExtension.class)
class LockSwitchTests {

	private final FaultyLockStore store = new FaultyLockStore(new InMemoryLockStore());

	private final ApplicationContextRunner empty = new ApplicationContextRunner()
		.withConfiguration(LockApplications.withoutRedis())
		.withBean(LockStore.class, () -> this.store);

	private final ApplicationContextRunner runner = this.empty.withBean(Prices.class);

	@Test
	void switchedOffWhenTheStoreIsAwayThenRunsWithoutALock(CapturedOutput output) {
		this.runner.withPropertyValues("distributed-lock.locks.prices.enabled=false").run((context) -> {
			this.store.injectAll(Fault.REFUSE);
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(LockMeters.class).bindTo(registry);
			assertThat(context.getBean(Prices.class).refresh(1)).isEqualTo("unlocked");
			assertThat(context.getBean(Prices.class).later().get()).isEqualTo("unlocked");
			assertThat(context.getBean(Prices.class).reactive().block()).isEqualTo("unlocked");
			assertThat(registry.get("lock.not.taken")
				.tag("lock.name", "prices")
				.tag("lock.reason", "switched-off")
				.counter()
				.count()).isEqualTo(3);
		});
		assertThat(output).containsOnlyOnce("Switched off by distributed-lock.locks.<name>.enabled, so these methods "
				+ "run WITHOUT a lock: prices (LockSwitchTests.Prices.later()), prices "
				+ "(LockSwitchTests.Prices.reactive()), prices (LockSwitchTests.Prices.refresh(int))");
	}

	@Test
	void switchedOffThenAnotherHolderIsNotWaitedFor() {
		this.runner.withPropertyValues("distributed-lock.locks.prices.enabled=false").run((context) -> {
			try (LockHandle held = context.getBean(LockTemplate.class).acquire("prices:1")) {
				assertThat(CompletableFuture.supplyAsync(() -> context.getBean(Prices.class).refresh(1)).get())
					.isEqualTo("unlocked");
			}
		});
	}

	@Test
	void switchedOffThenTheDefinitionSaysIt() {
		this.runner
			.withPropertyValues("distributed-lock.locks.prices.enabled=false",
					"distributed-lock.locks.orders.on-busy=skip")
			.withBean(Orders.class)
			.run((context) -> {
				assertThat(context.getBean(LockDefinitions.class).all()).filteredOn("name", "prices")
					.hasSize(3)
					.allSatisfy((definition) -> {
						assertThat(definition.enabled()).isFalse();
						assertThat(definition.settings()).containsEntry("enabled",
								new LockDefinition.Setting("false", "distributed-lock.locks.prices"));
					});
				assertThat(context.getBean(LockDefinitions.class).all()).filteredOn("name", "orders")
					.singleElement()
					.satisfies((definition) -> {
						assertThat(definition.enabled()).isTrue();
						assertThat(definition.condition()).isEqualTo("#amount > 100");
						assertThat(definition.onBusy()).isEqualTo("skip");
						assertThat(definition.settings())
							.containsEntry("enabled", new LockDefinition.Setting("true", "default"))
							.containsEntry("on-busy",
									new LockDefinition.Setting("skip", "distributed-lock.locks.orders"));
					});
			});
	}

	@Test
	void switchedOffWhenAMethodWantsATokenThenDoesNotStart() {
		this.empty.withBean(Fenced.class)
			.withPropertyValues("distributed-lock.locks.fenced.enabled=false")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("distributed-lock.locks.fenced.enabled is false, but a parameter is annotated "
						+ "with @FencingToken, which only a lock has. Remove the property, or the parameter"));
	}

	@Test
	void switchedOffWhenASemaphoreThenTakesNoPermit() {
		this.empty.withBean(Mails.class)
			.withPropertyValues("distributed-lock.locks.mails.enabled=false")
			.run((context) -> {
				this.store.injectAll(Fault.REFUSE);
				context.getBean(Mails.class).send();
			});
	}

	@Test
	void conditionWhenFalseThenRunsWithoutALock() {
		this.empty.withBean(Orders.class).run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.place(101)).isEqualTo("locked");
			this.store.injectAll(Fault.REFUSE);
			SimpleMeterRegistry registry = new SimpleMeterRegistry();
			context.getBean(LockMeters.class).bindTo(registry);
			assertThat(orders.place(100)).isEqualTo("unlocked");
			assertThat(registry.get("lock.not.taken").tag("lock.reason", "condition").counter().count()).isEqualTo(1);
		});
	}

	/** Without a value it is unknown whether the call needs its lock. */
	@Test
	void conditionWhenItsValueIsNullThenTheBodyDoesNotRun() {
		this.empty.withBean(Orders.class)
			.run((context) -> assertThatExceptionOfType(LockConditionException.class)
				.isThrownBy(() -> context.getBean(Orders.class).place(null))
				.withMessage("@DistributedLock on LockSwitchTests.Orders.place(Integer): condition '#amount > 100' "
						+ "compares #amount, which is null; ask for it first: #amount != null and …"));
	}

	@Test
	void conditionWhenItFailsThenTheBodyDoesNotRun() {
		this.empty.withBean(Doubtful.class).run((context) -> {
			Doubtful doubtful = context.getBean(Doubtful.class);
			assertThatExceptionOfType(LockConditionException.class).isThrownBy(() -> doubtful.run(null))
				.withMessage("@DistributedLock on LockSwitchTests.Doubtful.run(Object): condition '#flag' evaluated to "
						+ "null, which is neither true nor false");
			assertThatExceptionOfType(LockConditionException.class).isThrownBy(() -> doubtful.run("yes"))
				.withMessageEndingWith("evaluated to a java.lang.String, which is neither true nor false");
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> doubtful.later(null).get())
				.withCauseInstanceOf(LockConditionException.class);
			assertThatExceptionOfType(LockConditionException.class).isThrownBy(() -> doubtful.reactive(null).block());
			assertThat(doubtful.runs()).isZero();
			doubtful.run(true);
			doubtful.run(false);
			assertThat(doubtful.runs()).isEqualTo(2);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"Unknown | condition '#amont > 1' uses the unknown variable #amont. Did you mean #amount?",
			"Broken | condition '#amount >' is not a valid expression",
			"Constant | condition '#amount + 1' is neither true nor false. Compare something: #order.amount > 100",
			"Assigning | condition '#amount = 1' assigns a value: ",
			"Token | it has the condition '#amount > 1', but a parameter is annotated with @FencingToken" })
	void conditionWhenItCannotWorkThenDoesNotStart(String type, String text) throws Exception {
		this.empty.withBean(Class.forName(LockSwitchTests.class.getName() + "$" + type))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(text));
	}

	@Test
	void onBusyWhenConfiguredThenWinsOverTheAnnotation() {
		ApplicationContextRunner stock = this.empty.withBean(Stock.class)
			.withPropertyValues("distributed-lock.wait-time=0s");
		stock
			.withPropertyValues("distributed-lock.locks.stock.on-busy=fallback",
					"distributed-lock.locks.stock.fallback=old")
			.run((context) -> assertThat(whileHeld(context.getBean(LockTemplate.class), context.getBean(Stock.class)))
				.isEqualTo("old"));
		stock.withPropertyValues("distributed-lock.locks.stock.fallback=old")
			.run((context) -> assertThat(whileHeld(context.getBean(LockTemplate.class), context.getBean(Stock.class)))
				.isEqualTo("old"));
		stock.withPropertyValues("distributed-lock.locks.stock.on-busy=throw")
			.run((context) -> assertThatExceptionOfType(LockBusyException.class)
				.isThrownBy(() -> whileHeld(context.getBean(LockTemplate.class), context.getBean(Stock.class))));
		stock.withPropertyValues("distributed-lock.locks.stock.on-busy=skip")
			.run((context) -> assertThat(whileHeld(context.getBean(LockTemplate.class), context.getBean(Stock.class)))
				.isNull());
	}

	private static @Nullable String whileHeld(LockTemplate locks, Stock stock) {
		try (LockHandle held = locks.acquireAsync("stock").toCompletableFuture().join()) {
			return stock.sell();
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', value = {
			"fallback=old | distributed-lock.locks.counter.fallback is 'old', but onBusy is THROW. Set "
					+ "distributed-lock.locks.counter.on-busy to fallback, or remove the property",
			"on-busy=skip | onBusy is SKIP by distributed-lock.locks.counter.on-busy, but there is no value to return: "
					+ "the method returns int",
			"on-busy=fallback | onBusy is FALLBACK by distributed-lock.locks.counter.on-busy, but no fallback is named",
			"fallback= | distributed-lock.locks.counter.fallback is '' but must be the name of a method" })
	void onBusyWhenItContradictsThenDoesNotStart(String property, String text) {
		this.empty.withBean(Counter.class)
			.withPropertyValues("distributed-lock.locks.counter." + property)
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(text));
	}

	private static String state() {
		return LockContext.current().isPresent() ? "locked" : "unlocked";
	}

	static class Prices {

		@DistributedLock(name = "prices", key = "#item")
		public String refresh(int item) {
			return state();
		}

		@DistributedLock(name = "prices")
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture(state());
		}

		@DistributedLock(name = "prices")
		public Mono<String> reactive() {
			return Mono.fromSupplier(LockSwitchTests::state);
		}

	}

	static class Stock {

		@DistributedLock(name = "stock", onBusy = OnBusy.FALLBACK, fallback = "other")
		public String sell() {
			return "sold";
		}

		String other() {
			return "other";
		}

		String old() {
			return "old";
		}

	}

	static class Counter {

		@DistributedLock(name = "counter")
		public int next() {
			return 1;
		}

	}

	static class Orders {

		@DistributedLock(name = "orders", condition = "#amount > 100")
		public String place(@Nullable Integer amount) {
			return state();
		}

	}

	static class Doubtful {

		private int runs;

		@DistributedLock(name = "doubtful", condition = "#flag")
		public void run(@Nullable Object flag) {
			this.runs++;
		}

		@DistributedLock(name = "doubtful", condition = "#flag")
		public CompletableFuture<String> later(@Nullable Object flag) {
			this.runs++;
			return CompletableFuture.completedFuture("done");
		}

		@DistributedLock(name = "doubtful", condition = "#flag")
		public Mono<String> reactive(@Nullable Object flag) {
			this.runs++;
			return Mono.just("done");
		}

		int runs() {
			return this.runs;
		}

	}

	static class Fenced {

		@DistributedLock(name = "fenced")
		public void run(@FencingToken long token) {
		}

	}

	static class Mails {

		@DistributedSemaphore(name = "mails", permits = "2")
		public void send() {
			assertThat(LockContext.current()).isEmpty();
		}

	}

	static class Unknown {

		@DistributedLock(name = "a", condition = "#amont > 1")
		public void run(int amount) {
		}

	}

	static class Broken {

		@DistributedLock(name = "a", condition = "#amount >")
		public void run(int amount) {
		}

	}

	static class Constant {

		@DistributedLock(name = "a", condition = "#amount + 1")
		public void run(int amount) {
		}

	}

	static class Assigning {

		@DistributedLock(name = "a", condition = "#amount = 1")
		public void run(int amount) {
		}

	}

	static class Token {

		@DistributedLock(name = "a", condition = "#amount > 1")
		public void run(int amount, @FencingToken long token) {
		}

	}

}
