package io.distlock.test.records;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

import io.distlock.Holder;
import io.distlock.records.RecordLockStore;
import io.distlock.records.RecordSettings;
import io.distlock.records.place.RecordTraits;
import io.distlock.spi.AcquireCommand;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.Grant;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.spi.Sharing;
import io.distlock.spi.StoreListener;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Holds that last as long as the session of their process. */
class SessionTests {

	private static final Duration LEASE = Duration.ofSeconds(20);

	private final MemoryPlace place = new MemoryPlace(RecordTraits.Lifetime.SESSION, true, Instant::now);

	private final List<RecordLockStore> started = new ArrayList<>();

	private final MemoryLockRecords first = this.place.newRecords();

	private final RecordLockStore one = start(this.first, "one");

	private final RecordLockStore two = start(this.place.newRecords(), "two");

	@AfterEach
	void stop() {
		this.started.forEach(RecordLockStore::stop);
	}

	@Test
	void holdEndsWithSession() {
		assertThat(acquire(this.one, "one", 1, LEASE)).isInstanceOf(AcquireResult.Granted.class);
		assertThat(acquire(this.two, "two", 1, LEASE)).isInstanceOf(AcquireResult.Queued.class);
		this.first.loseSession();
		assertThat(acquire(this.two, "two", 1, LEASE)).isInstanceOf(AcquireResult.Granted.class);
		assertThat(renew(this.one, "one", 1)).isInstanceOf(RenewResult.Gone.class);
	}

	@Test
	void holdOfEarlierSessionIsNotUsable() {
		Grant before = ((AcquireResult.Granted) acquire(this.one, "one", 1, LEASE)).grant();
		this.first.loseSession();
		assertThat(renew(this.one, "one", 1)).isInstanceOf(RenewResult.Gone.class);
		Grant after = ((AcquireResult.Granted) acquire(this.one, "one", 1, LEASE)).grant();
		assertThat(after.fencingToken()).isGreaterThan(before.fencingToken());
	}

	@Test
	void waiterLeavesQueueWithSession() {
		acquire(this.two, "two", 1, LEASE);
		acquire(this.one, "one", 1, LEASE);
		this.first.loseSession();
		join(this.two.finish("key", new RequestId("two", 1), Duration.ZERO));
		assertThat(join(this.two.inspect("key")).holds()).isEmpty();
	}

	@Test
	void leaseOfLivingProcessEndsToo() {
		AtomicInteger number = new AtomicInteger();
		// A machine that stalls lets a short lease end before the second request comes.
		String key = Awaitility.await().until(() -> "brief:" + number.incrementAndGet(), (brief) -> {
			acquire(this.one, brief, "one", 1, Duration.ofMillis(100));
			return acquire(this.two, brief, "two", 1, LEASE) instanceof AcquireResult.Queued;
		});
		Awaitility.await().until(() -> acquire(this.two, key, "two", 1, LEASE) instanceof AcquireResult.Granted);
	}

	@Test
	void renewalWritesNothing() {
		acquire(this.one, "one", 1, LEASE);
		long writes = this.place.writes();
		assertThat(renew(this.one, "one", 1)).isInstanceOf(RenewResult.Renewed.class);
		assertThat(this.place.writes()).isEqualTo(writes);
	}

	@Test
	void grantOfLostSessionIsNoGrant() {
		this.place.beforeWrite((key) -> this.first.doubtSession());
		assertThatThrownBy(() -> acquire(this.one, "one", 1, LEASE)).isInstanceOf(CompletionException.class)
			.hasMessageContaining("session");
	}

	private RecordLockStore start(MemoryLockRecords records, String engine) {
		RecordLockStore store = new RecordLockStore(records,
				RecordSettings.NOTIFIED.withCommandTimeout(Duration.ofSeconds(10)));
		store.start(engine, new StoreListener() {

			@Override
			public void granted(String key, RequestId request, Grant grant) {
			}

			@Override
			public void contended(String key) {
			}

			@Override
			public void reconnected() {
			}

		});
		this.started.add(store);
		return store;
	}

	private AcquireResult acquire(RecordLockStore store, String engine, long number, Duration lease) {
		return acquire(store, "key", engine, number, lease);
	}

	private AcquireResult acquire(RecordLockStore store, String key, String engine, long number, Duration lease) {
		return join(store.acquire(new AcquireCommand(key, new RequestId(engine, number), lease, Sharing.EXCLUSIVE, true,
				1, Duration.ofSeconds(1), new Holder("app", "host", engine, "", "", Instant.EPOCH))));
	}

	private RenewResult renew(RecordLockStore store, String engine, long number) {
		return join(store.renew(new RenewCommand("key", new RequestId(engine, number), LEASE, 0)));
	}

	private static <T> T join(CompletionStage<T> stage) {
		return stage.toCompletableFuture().join();
	}

}
