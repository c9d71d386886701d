package io.distlock.records;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletionStage;

import io.distlock.Holder;
import io.distlock.memory.InMemoryLockServer;
import io.distlock.memory.InMemoryLockStore;
import io.distlock.output.Seeds;
import io.distlock.records.place.RecordTraits;
import io.distlock.records.state.StateRules;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.LockClock;
import io.distlock.spi.LockSnapshot;
import io.distlock.spi.LockStore;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.test.records.MemoryPlace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random lives of one lock: a store on records, with its texts, versions and what it
 * remembers, answers like the in-memory store, sends the same messages, and leaves the
 * same lock. Without estimates of the clock, since a take that is refused raises the
 * tokens that follow.
 */
class EquivalenceTests {

	private static final String LOCK = "stock";

	private static final int SEEDS = Seeds.of("lock.equivalence.seeds", 20, 400);

	/** Until a difference must have been found. */
	private static final int MOST_SEEDS = Math.max(SEEDS, 400);

	private static final int STEPS = 200;

	private static final int[] JUMPS = { 0, 0, 0, 1, 50, 100, 500, 500, 1000, 1499, 1500, 1501, 2000, 3000, 3001,
			6000 };

	private static final List<Sharing> KINDS = List.of(Sharing.EXCLUSIVE, Sharing.SHARED, Sharing.SHARED,
			new Sharing.Permit(1), new Sharing.Permit(2), new Sharing.Permit(3));

	/** No store on records that gets messages pauses for less. */
	private static final Duration LEAST_POLL = Duration.ofMillis(400);

	/**
	 * The rules of the in-memory store: what is left are text, pipelines and versions.
	 */
	@Test
	void behavesLikeInMemoryStore() {
		for (long seed = 0; seed < SEEDS; seed++) {
			new Life(seed, StateRules.MEMORY).run();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "grace", "refusals forgotten by the place", "lazy refresh" })
	void differsOnlyWhereRulesSaySo(String difference) {
		StateRules memory = StateRules.MEMORY;
		StateRules rules = switch (difference) {
			case "grace" -> new StateRules(memory.lifetime(), 100, memory.waiterMillis(), memory.placeMillis(),
					memory.refreshMillis(), memory.keepMillis(), memory.maxWaiters(), true);
			case "lazy refresh" -> new StateRules(memory.lifetime(), 0, memory.waiterMillis(), memory.placeMillis(),
					1000, memory.keepMillis(), memory.maxWaiters(), true);
			default -> new StateRules(memory.lifetime(), 0, memory.waiterMillis(), memory.placeMillis(),
					memory.refreshMillis(), memory.keepMillis(), memory.maxWaiters(), false);
		};
		boolean same = difference.startsWith("refusals");
		int most = same ? SEEDS : MOST_SEEDS;
		boolean found = false;
		for (long seed = 0; seed < most && !found; seed++) {
			try {
				new Life(seed, rules).run();
			}
			catch (AssertionError ex) {
				found = true;
			}
		}
		assertThat(found).isNotEqualTo(same);
	}

	/** Both stores, and what both are asked to do. */
	private static final class Life {

		private final List<String> heardInMemory = new ArrayList<>();

		private final List<String> heardOnRecords = new ArrayList<>();

		private final List<Runnable> undelivered = new ArrayList<>();

		private final LifeClock clock = new LifeClock();

		private final InMemoryLockServer server = new InMemoryLockServer(this.clock, this.undelivered::add);

		private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.CLOCK, true, this.clock::instant,
				this.undelivered::add);

		private final Map<String, LockStore> inMemory = new HashMap<>();

		private final Map<String, LockStore> onRecords = new HashMap<>();

		private final Map<String, Long> numbers = new HashMap<>();

		private final Map<RequestId, Sharing> kinds = new HashMap<>();

		private final List<String> instances = new ArrayList<>();

		private final StringBuilder trace = new StringBuilder();

		private final Random random;

		private final long seed;

		private final Sharing mostly;

		Life(long seed, StateRules rules) {
			this.seed = seed;
			this.random = new Random(seed);
			int engines = 2 + this.random.nextInt(3);
			for (int i = 0; i < engines; i++) {
				String engine = "i" + i;
				this.instances.add(engine);
				if (this.random.nextBoolean()) {
					this.instances.addAll(List.of(engine + ".1", engine + ".2"));
				}
				RecordLockStore store = new RecordLockStore(this.place.newRecords().withoutEstimate(),
						RecordSettings.NOTIFIED, rules, Life::schedule, this.clock::nanoTime, this.random::nextDouble);
				start(this.inMemory, engine, new InMemoryLockStore(this.server), this.heardInMemory);
				start(this.onRecords, engine, store, this.heardOnRecords);
			}
			this.mostly = KINDS.get(this.random.nextInt(KINDS.size()));
		}

		/** A sweep comes again and again, and here no time passes. */
		private static void schedule(Duration delay, Runnable action) {
			if (delay.compareTo(Sweep.INTERVAL) < 0) {
				action.run();
			}
		}

		private static void start(Map<String, LockStore> stores, String engine, LockStore store, List<String> heard) {
			store.start(engine, new Ear(engine, heard));
			stores.put(engine, store);
		}

		void run() {
			for (int i = 0; i < STEPS; i++) {
				passTime();
				String instance = this.instances.get(this.random.nextInt(this.instances.size()));
				int dice = this.random.nextInt(100);
				if (dice < 50) {
					acquire(instance);
				}
				else if (dice < 75) {
					finish(instance);
				}
				else {
					renew(instance);
				}
			}
		}

		private void passTime() {
			this.clock.micros += JUMPS[this.random.nextInt(JUMPS.length)] * 1000L;
			if (this.random.nextInt(3) == 0) {
				this.clock.micros += this.random.nextInt(3) * 1000L;
			}
		}

		private void acquire(String instance) {
			long number = this.numbers.getOrDefault(instance, 0L);
			int dice = this.random.nextInt(10);
			if (number == 0 || dice < 4) {
				number++;
				this.numbers.put(instance, number);
			}
			RequestId request = RequestId.parse(instance, (dice == 9) ? stale(instance) : number);
			Sharing sharing = this.kinds.computeIfAbsent(request, (first) -> (this.random.nextInt(4) == 0)
					? KINDS.get(this.random.nextInt(KINDS.size())) : this.mostly);
			Holder holder = new Holder("app; of|" + instance, "hö%st", request.engine(), "thread\n", "caller",
					Instant.EPOCH);
			AcquireCommand command = new AcquireCommand(LOCK, request, lease(), sharing, this.random.nextInt(4) != 0,
					1 + this.random.nextInt(20), Duration.ofSeconds(1), holder);
			both(command, atAnyPace(get(this.inMemory.get(request.engine()).acquire(command))),
					atAnyPace(get(this.onRecords.get(request.engine()).acquire(command))));
		}

		/** On records a waiter asks more rarely in time, except for the end of a hold. */
		private static AcquireResult atAnyPace(AcquireResult result) {
			if (result instanceof AcquireResult.Queued queued && queued.pollWithin().compareTo(LEAST_POLL) > 0) {
				return new AcquireResult.Queued(queued.storeTime(), LEAST_POLL, queued.holder());
			}
			return result;
		}

		private void finish(String instance) {
			long number = switch (this.random.nextInt(12)) {
				case 0 -> stale(instance);
				case 1 -> this.numbers.merge(instance, 1L, Long::sum);
				default -> Math.max(1, this.numbers.getOrDefault(instance, 1L));
			};
			RequestId request = RequestId.parse(instance, number);
			Duration keepFor = (this.random.nextInt(4) == 0) ? lease() : Duration.ZERO;
			both(request + " kept for " + keepFor,
					get(this.inMemory.get(request.engine()).finish(LOCK, request, keepFor)),
					get(this.onRecords.get(request.engine()).finish(LOCK, request, keepFor)));
		}

		private void renew(String instance) {
			long number = (this.random.nextInt(8) == 0) ? stale(instance)
					: Math.max(1, this.numbers.getOrDefault(instance, 1L));
			RequestId request = RequestId.parse(instance, number);
			int tokens = this.random.nextBoolean() ? 0 : 1 + this.random.nextInt(30);
			RenewCommand command = new RenewCommand(LOCK, request, lease(), tokens);
			both(command, get(this.inMemory.get(request.engine()).renew(command)),
					get(this.onRecords.get(request.engine()).renew(command)));
		}

		private long stale(String instance) {
			return Math.max(1, this.numbers.getOrDefault(instance, 1L) - 1 - this.random.nextInt(2));
		}

		private Duration lease() {
			return switch (this.random.nextInt(6)) {
				case 0, 1 -> Duration.ofMillis(500);
				case 2, 3 -> Duration.ofSeconds(6);
				default -> Duration.ofSeconds(3);
			};
		}

		private void both(Object command, Object expected, Object actual) {
			this.undelivered.forEach(Runnable::run);
			this.undelivered.clear();
			this.trace.append(this.clock.micros).append(' ').append(command).append("\n    -> ").append(expected);
			this.trace.append('\n');
			assertThat(actual).as(this::description).isEqualTo(expected);
			assertThat(this.heardOnRecords).as(this::description).containsExactlyInAnyOrderElementsOf(heard());
			this.heardInMemory.clear();
			this.heardOnRecords.clear();
			LockSnapshot left = get(this.onRecords.get("i0").inspect(LOCK));
			assertThat(left).as(this::description).isEqualTo(get(this.inMemory.get("i0").inspect(LOCK)));
		}

		private List<String> heard() {
			return List.copyOf(this.heardInMemory);
		}

		private String description() {
			return "seed " + this.seed + "\n" + this.trace;
		}

		private static <T> T get(CompletionStage<T> stage) {
			return stage.toCompletableFuture().join();
		}

	}

	/** Records the messages that an engine receives. */
	private record Ear(String engine, List<String> heard) implements StoreListener {

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			this.heard.add(this.engine + " " + key + " " + request + " " + grant);
		}

		@Override
		public void contended(String key) {
			this.heard.add(this.engine + " " + key + " contended");
		}

		@Override
		public void reconnected() {
			this.heard.add(this.engine + " reconnected");
		}

	}

	/** One clock for both, to the millisecond. */
	private static final class LifeClock implements LockClock {

		private long micros = 1_795_225_522_033_000L;

		@Override
		public long nanoTime() {
			return this.micros * 1000;
		}

		@Override
		public Instant instant() {
			return Instant.EPOCH.plus(this.micros, ChronoUnit.MICROS);
		}

		@Override
		public void park(long nanos) {
			throw new UnsupportedOperationException();
		}

	}

}
