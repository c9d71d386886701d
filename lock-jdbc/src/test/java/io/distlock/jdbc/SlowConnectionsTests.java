package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.UUID;

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

	private static final Duration LEASE = Duration.ofSeconds(60);

	private static final RequestId FIRST = new RequestId("one", 1);

	private static final RequestId SECOND = new RequestId("two", 1);

	@Test
	void eachCommandIsExecuted() {
		eachCommandIsExecutedOn(slowLogins(TestDatabase.postgres()));
		eachCommandIsExecutedOn(slowLogins(TestDatabase.h2()));
		eachCommandIsExecutedOn(SlowDataSource.of(TestDatabase.h2(), LONG));
	}

	private void eachCommandIsExecutedOn(DataSource database) {
		String key = "slow:" + UUID.randomUUID();
		JdbcLockStore one = start(database, "one");
		JdbcLockStore two = start(database, "two");
		try {
			assertThat(Commands.join(one.acquire(Commands.queue(key, FIRST, LEASE))))
				.isInstanceOf(AcquireResult.Granted.class);
			assertThat(Commands.join(two.acquire(Commands.queue(key, SECOND, LEASE))))
				.isInstanceOf(AcquireResult.Queued.class);
			assertThat(Commands.join(one.renew(new RenewCommand(key, FIRST, LEASE, 0))))
				.isInstanceOf(RenewResult.Renewed.class);
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

	private static DataSource slowLogins(DataSource database) {
		return (DataSource) Proxy.newProxyInstance(DataSource.class.getClassLoader(),
				new Class<?>[] { DataSource.class }, (self, method, arguments) -> {
					if (method.getName().equals("getConnection")) {
						Pause.of(LONG);
					}
					try {
						return method.invoke(database, arguments);
					}
					catch (InvocationTargetException ex) {
						throw ex.getCause();
					}
				});
	}

}
