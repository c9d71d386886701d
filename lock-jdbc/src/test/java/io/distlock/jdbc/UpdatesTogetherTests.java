package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.distlock.LockStoreException;
import io.distlock.records.place.LockRecords.Change;
import io.distlock.records.place.LockRecords.Expected;
import io.distlock.records.place.LockRecords.Seen;
import io.distlock.records.place.LockRecords.Summary;
import io.distlock.records.place.LockRecords.Written;
import io.distlock.spi.AcquireResult;
import io.distlock.spi.FinishResult;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Updates that wait for the same connection go together. */
class UpdatesTogetherTests {

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final JdbcLockStoreSettings SETTINGS = JdbcLockStoreSettings.builder()
		.connections(1)
		.commandTimeout(Duration.ofSeconds(20))
		.build();

	private final String prefix = "together:" + UUID.randomUUID() + ":";

	private final AtomicInteger batches = new AtomicInteger();

	private volatile boolean fails;

	/** Statements wait for it. */
	private volatile CountDownLatch gate = new CountDownLatch(0);

	private volatile CountDownLatch waiting = new CountDownLatch(0);

	private final DataSource database = proxy(DataSource.class, TestDatabase.h2());

	@Test
	void eachOfThemWinsOrLosesForItself() throws InterruptedException {
		JdbcLockRecords records = new JdbcLockRecords(this.database, SETTINGS);
		records.start("together", null);
		try {
			List<Expected> found = IntStream.range(0, 20)
				.mapToObj((i) -> at(Commands.join(records.write(change(i, new Expected.Absent(), "first")))))
				.toList();
			Commands.join(records.write(change(7, found.get(7), "of another")));
			List<Written> written = meanwhile(() -> records.read(this.prefix), IntStream.range(0, 20).boxed().toList(),
					(i) -> records.write(change(i, found.get(i), "second")));
			assertThat(this.batches).hasValue(1);
			for (int i = 0; i < 20; i++) {
				Seen left = Commands.join(records.read(this.prefix + i));
				assertThat(written.get(i)).isInstanceOf((i == 7) ? Written.Lost.class : Written.Done.class);
				assertThat(left.text()).isEqualTo((i == 7) ? "of another" : "second");
			}
		}
		finally {
			records.stop();
		}
	}

	@Test
	void afterAnErrorEachLockCanBeUsed() throws InterruptedException {
		JdbcLockStore store = new JdbcLockStore(this.database, SETTINGS);
		store.start("together", new Nobody());
		try {
			List<String> keys = IntStream.range(0, 20).mapToObj((i) -> this.prefix + i).toList();
			keys.forEach((key) -> assertThat(Commands.join(store.acquire(Commands.acquire(key, request(), LEASE))))
				.isInstanceOf(AcquireResult.Granted.class));
			this.fails = true;
			List<Throwable> failures = meanwhile(() -> store.inspect(this.prefix), keys,
					(key) -> store.renew(renew(key)).handle((result, failure) -> failure));
			this.fails = false;
			assertThat(this.batches).hasValue(1);
			assertThat(failures).allSatisfy((failure) -> assertThat(failure).isInstanceOf(LockStoreException.class)
				.hasRootCauseInstanceOf(NoClassDefFoundError.class));
			keys.forEach((key) -> assertThat(Commands.join(store.renew(renew(key))))
				.isInstanceOf(RenewResult.Renewed.class));
			keys.forEach((key) -> assertThat(Commands.join(store.finish(key, request(), Duration.ZERO)))
				.isEqualTo(FinishResult.RELEASED));
		}
		finally {
			store.stop();
		}
	}

	/** While the only connection is in use. */
	private <T, R> List<R> meanwhile(Supplier<CompletionStage<?>> first, List<T> inputs,
			Function<T, CompletionStage<R>> action) throws InterruptedException {
		this.waiting = new CountDownLatch(1);
		this.gate = new CountDownLatch(1);
		first.get();
		assertThat(this.waiting.await(20, TimeUnit.SECONDS)).isTrue();
		List<CompletableFuture<R>> answers = inputs.stream()
			.map((input) -> action.apply(input).toCompletableFuture())
			.toList();
		this.gate.countDown();
		return answers.stream().map(CompletableFuture::join).toList();
	}

	/** For longer than before, so that it changes the record within a millisecond too. */
	private static RenewCommand renew(String key) {
		return new RenewCommand(key, request(), LEASE.multipliedBy(2), 0);
	}

	private static RequestId request() {
		return new RequestId("together", 1);
	}

	private Change change(int lock, Expected expected, String text) {
		return new Change(this.prefix + lock, expected, text, false, 1, 2, 0, Long.MAX_VALUE / 10_000, List.of(),
				new Summary("", 0, 0));
	}

	private static Expected at(Written written) {
		assertThat(written).isInstanceOf(Written.Done.class);
		return new Expected.At(((Written.Done) written).version());
	}

	private <T> T proxy(Class<T> type, Object target) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method, args) -> {
				if (method.getName().startsWith("execute")) {
					this.waiting.countDown();
					this.gate.await();
				}
				if (method.getName().equals("executeBatch")) {
					this.batches.incrementAndGet();
					if (this.fails) {
						throw new NoClassDefFoundError("made up");
					}
				}
				try {
					Object result = method.invoke(target, args);
					return (result instanceof PreparedStatement) ? proxy(PreparedStatement.class, result)
							: (result instanceof Connection) ? proxy(Connection.class, result) : result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

}
