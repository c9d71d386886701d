package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionStage;

import javax.sql.DataSource;

import io.distlock.spi.AcquireResult;
import io.distlock.spi.RenewCommand;
import io.distlock.spi.RenewResult;
import io.distlock.spi.RequestId;
import io.distlock.test.Pause;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A lock needs no connection that is there at once: a data source may have no pool. */
class SlowConnectionsTests {

	/** Longer than a change is valid. */
	private static final Duration LONG = Duration.ofMillis(150);

	/** Too long only together with what prepares a connection. */
	private static final Duration TRIP = Duration.ofMillis(60);

	private static final Duration LEASE = Duration.ofSeconds(60);

	private static final RequestId FIRST = new RequestId("one", 1);

	private static final RequestId SECOND = new RequestId("two", 1);

	@Test
	void eachCommandIsExecuted() {
		eachCommandIsExecutedOn(slow(TestDatabase.postgres(), "getConnection"));
		eachCommandIsExecutedOn(slow(TestDatabase.h2(), "getConnection"));
		eachCommandIsExecutedOn(slow(TestDatabase.h2(), "close"));
		eachCommandIsExecutedOn(SlowDataSource.of(TestDatabase.h2(), TRIP));
	}

	private void eachCommandIsExecutedOn(DataSource database) {
		String key = "slow:" + UUID.randomUUID();
		JdbcLockStore one = start(database, "one");
		JdbcLockStore two = start(database, "two");
		try {
			assertThat(Commands.join(one.acquire(Commands.queue(key, FIRST, LEASE))))
				.isInstanceOf(AcquireResult.Granted.class);
			assertThat(Commands.join(one.acquire(Commands.acquire(key + ":other", FIRST, LEASE))))
				.isInstanceOf(AcquireResult.Granted.class);
			assertThat(Commands.join(two.acquire(Commands.queue(key, SECOND, LEASE))))
				.isInstanceOf(AcquireResult.Queued.class);
			CompletionStage<RenewResult> renewed = one.renew(new RenewCommand(key, FIRST, LEASE, 0));
			CompletionStage<RenewResult> beside = one.renew(new RenewCommand(key + ":other", FIRST, LEASE, 0));
			assertThat(Commands.join(renewed)).isInstanceOf(RenewResult.Renewed.class);
			assertThat(Commands.join(beside)).isInstanceOf(RenewResult.Renewed.class);
			Commands.join(one.finish(key, FIRST, Duration.ZERO));
			assertThat(Commands.join(two.acquire(Commands.queue(key, SECOND, LEASE))))
				.isInstanceOf(AcquireResult.Granted.class);
		}
		finally {
			one.stop();
			two.stop();
		}
	}

	private static JdbcLockStore start(DataSource database, String engine) {
		JdbcLockStore store = new JdbcLockStore(database, TestDatabase.SETTINGS);
		store.start(engine, new Nobody());
		return store;
	}

	/** A database whose connections need long for one thing. */
	private static DataSource slow(DataSource database, String method) {
		return slow(DataSource.class, database, method);
	}

	private static <T> T slow(Class<T> type, Object target, String slow) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method, arguments) -> {
				if (method.getName().equals(slow)) {
					Pause.of(LONG);
				}
				try {
					Object result = method.invoke(target, arguments);
					return (result instanceof Connection) ? slow(Connection.class, result, slow) : result;
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

}
