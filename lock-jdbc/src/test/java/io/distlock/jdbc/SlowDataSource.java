package io.distlock.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.distlock.test.Pause;

/** A database that is some way off: each statement takes a while. */
final class SlowDataSource {

	private SlowDataSource() {
	}

	static DataSource of(DataSource database, Duration trip) {
		return proxy(DataSource.class, database, trip);
	}

	private static <T> T proxy(Class<T> type, Object target, Duration trip) {
		return type
			.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] { type }, (self, method, args) -> {
				if (method.getName().startsWith("execute")) {
					Pause.of(trip);
				}
				try {
					Object result = method.invoke(target, args);
					return Stream.of(PreparedStatement.class, Statement.class, Connection.class)
						.filter((slow) -> slow.isInstance(result))
						.findFirst()
						.<Object>map((slow) -> proxy(slow, result, trip))
						.orElse(result);
				}
				catch (InvocationTargetException ex) {
					throw ex.getCause();
				}
			}));
	}

}
