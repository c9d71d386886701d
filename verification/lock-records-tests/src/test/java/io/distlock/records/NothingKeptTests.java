package io.distlock.records;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.distlock.Holder;
import io.distlock.records.place.LockRecords;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.ForceReleaseCommand;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import io.distlock.spi.TransientStoreException;
import io.distlock.test.records.MemoryPlace;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * However a hold or a wait ends, its process remembers nothing of it afterwards: no lock,
 * no hold, no waiter and no timer.
 */
class NothingKeptTests {

	private static final Duration LEASE = Duration.ofMillis(500);

	private static final int LOCKS = 50;

	@ParameterizedTest
	@EnumSource
	void nothingIsKeptWhereTheClockOfThePlaceEndsHolds(End end) {
		assertNothingIsKept(new World(RecordTraits.Lifetime.CLOCK), end);
	}

	@ParameterizedTest
	@EnumSource
	void nothingIsKeptWhereSessionsEndHolds(End end) {
		assertNothingIsKept(new World(RecordTraits.Lifetime.SESSION), end);
	}

	private static void assertNothingIsKept(World world, End end) {
		for (int i = 0; i < LOCKS; i++) {
			String key = "order:" + i;
			end.play(world, key);
		}
		world.healthy = true;
		world.pass(Duration.ofMinutes(3));
		assertThat(world.here.remembered()).isZero();
		assertThat(world.timers).isEmpty();
	}

	/** How a hold or a wait ends. */
	private enum End {

		CLOSED {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.finish(key, FinishResult.RELEASED);
			}
		},

		CLOSED_AFTER_A_RENEWAL {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.renew(key);
				world.finish(key, FinishResult.RELEASED);
			}
		},

		/** Its owner died, or lets the lease run out. */
		NEVER_CLOSED {
			@Override
			void play(World world, String key) {
				world.hold(key);
			}
		},

		NEVER_CLOSED_AFTER_A_RENEWAL {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.renew(key);
			}
		},

		CLOSED_TOO_LATE {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.pass(LEASE.multipliedBy(2));
				world.here.finish(key, world.request(), Duration.ZERO);
			}
		},

		FORCED_BY_THIS_PROCESS {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.force(world.here, key);
				world.finish(key, FinishResult.FORCED);
			}
		},

		FORCED_BY_THIS_PROCESS_AFTER_A_WAIT {
			@Override
			void play(World world, String key) {
				RequestId other = world.holdElsewhere(key);
				assertThat(world.ask(key)).isInstanceOf(AcquireResult.Queued.class);
				world.there.finish(key, other, Duration.ZERO);
				world.pass(Duration.ofMillis(10));
				world.force(world.here, key);
				world.finish(key, FinishResult.FORCED);
			}
		},

		FORCED_BY_ANOTHER_PROCESS {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.force(world.there, key);
				assertThat(world.renewed(key)).isInstanceOf(RenewResult.Gone.class);
			}
		},

		FORCED_BY_ANOTHER_PROCESS_AND_NEVER_CLOSED {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.force(world.there, key);
			}
		},

		LOST {
			@Override
			void play(World world, String key) {
				world.hold(key);
				world.pass(LEASE.multipliedBy(2));
				assertThat(world.renewed(key)).isInstanceOf(RenewResult.Gone.class);
			}
		},

		CANCELLED_WAIT {
			@Override
			void play(World world, String key) {
				world.holdElsewhere(key);
				assertThat(world.ask(key)).isInstanceOf(AcquireResult.Queued.class);
				world.finish(key, FinishResult.WITHDRAWN);
			}
		},

		/** The engine gives up to end it, because the place stays away. */
		FAILED {
			@Override
			void play(World world, String key) {
				world.healthy = false;
				world.here.acquire(world.command(key, true));
				world.here.finish(key, world.request(), Duration.ZERO);
			}
		},

		FAILED_WAIT {
			@Override
			void play(World world, String key) {
				world.healthy = true;
				world.holdElsewhere(key);
				assertThat(world.ask(key)).isInstanceOf(AcquireResult.Queued.class);
				world.healthy = false;
				world.here.finish(key, world.request(), Duration.ZERO);
			}
		},

		FAILED_RELEASE {
			@Override
			void play(World world, String key) {
				world.healthy = true;
				world.hold(key);
				world.healthy = false;
				world.here.finish(key, world.request(), Duration.ZERO);
			}
		};

		abstract void play(World world, String key);

	}

	/** Two processes on one place, on virtual time. */
	private static final class World implements StoreListener {

		private final PriorityQueue<Timer> timers = new PriorityQueue<>();

		private final MemoryPlace place;

		private final RecordLockStore here;

		private final RecordLockStore there;

		private long nanos = Duration.ofHours(1).toNanos();

		private long order;

		private long number;

		private boolean healthy = true;

		private World(RecordTraits.Lifetime lifetime) {
			this.place = new MemoryPlace(lifetime, true, this::instant, (message) -> in(Duration.ZERO, message));
			this.here = store("here", failing(this.place.newRecords()));
			this.there = store("there", this.place.newRecords());
		}

		private RecordLockStore store(String name, LockRecords records) {
			RecordSettings settings = RecordSettings.NOTIFIED;
			RecordLockStore store = new RecordLockStore(records, settings,
					RecordLockStore.rules(records.traits(), settings), this::in, () -> this.nanos, () -> 0.5);
			store.start(name, this);
			return store;
		}

		private LockRecords failing(LockRecords records) {
			return (LockRecords) Proxy.newProxyInstance(LockRecords.class.getClassLoader(),
					new Class<?>[] { LockRecords.class }, (proxy, method, arguments) -> {
						boolean call = method.getName().equals("read") || method.getName().equals("write");
						return (call && !this.healthy)
								? CompletableFuture.failedFuture(new TransientStoreException("", "away", null))
								: method.invoke(records, arguments);
					});
		}

		AcquireCommand command(String key, boolean queue) {
			this.number++;
			return command(key, request(), queue);
		}

		private static AcquireCommand command(String key, RequestId request, boolean queue) {
			return new AcquireCommand(key, request, LEASE, Sharing.EXCLUSIVE, queue, 1, Duration.ofSeconds(1),
					new Holder("app", "host", request.engine(), "", "", Instant.EPOCH));
		}

		RequestId request() {
			return new RequestId("here", this.number);
		}

		AcquireResult ask(String key) {
			return get(this.here.acquire(command(key, true)));
		}

		void hold(String key) {
			assertThat(ask(key)).isInstanceOf(AcquireResult.Granted.class);
		}

		RequestId holdElsewhere(String key) {
			RequestId request = new RequestId("there", ++this.number);
			assertThat(get(this.there.acquire(command(key, request, false)))).isInstanceOf(AcquireResult.Granted.class);
			return request;
		}

		RenewResult renewed(String key) {
			return get(this.here.renew(new RenewCommand(key, request(), LEASE, 0)));
		}

		void renew(String key) {
			assertThat(renewed(key)).isInstanceOf(RenewResult.Renewed.class);
		}

		void force(RecordLockStore store, String key) {
			assertThat(get(store.forceRelease(new ForceReleaseCommand(key, Set.of(request())))))
				.containsExactly(request());
		}

		void finish(String key, FinishResult result) {
			assertThat(get(this.here.finish(key, request(), Duration.ZERO))).isEqualTo(result);
		}

		private static <T> T get(CompletionStage<T> stage) {
			assertThat(stage.toCompletableFuture()).isDone();
			return stage.toCompletableFuture().join();
		}

		private void in(Duration delay, Runnable action) {
			this.timers.add(new Timer(this.nanos + delay.toNanos(), this.order++, action));
		}

		void pass(Duration time) {
			long end = this.nanos + time.toNanos();
			while (!this.timers.isEmpty() && this.timers.peek().at() <= end) {
				Timer timer = this.timers.remove();
				this.nanos = Math.max(this.nanos, timer.at());
				timer.action().run();
			}
			this.nanos = end;
		}

		private Instant instant() {
			return Instant.ofEpochSecond(1_795_225_522L).plusNanos(this.nanos);
		}

		@Override
		public void granted(String key, RequestId request, Grant grant) {
			// The tests ask.
		}

		@Override
		public void contended(String key) {
			// The tests ask.
		}

		@Override
		public void reconnected() {
			// Nothing is missed.
		}

		private record Timer(long at, long order, Runnable action) implements Comparable<Timer> {

			@Override
			public int compareTo(Timer other) {
				int byTime = Long.compare(this.at, other.at);
				return (byTime != 0) ? byTime : Long.compare(this.order, other.order);
			}

		}

	}

}
