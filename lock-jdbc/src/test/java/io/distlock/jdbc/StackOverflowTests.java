package io.distlock.jdbc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.distlock.test.DeepCalls;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A caller without stack leaves no lock that its process can never use again. */
@Tag("ci")
class StackOverflowTests {

	@Test
	void eachLockIsUsableAfterStacksOverflowed() {
		DeepCalls.assertThatLocksStayUsable(Overflowing.class);
	}

	/** The process without stack, on a database in its memory. */
	static final class Overflowing {

		public static void main(String[] arguments) {
			((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
			DeepCalls.overflow(new JdbcLockStore(TestDatabase.h2(),
					JdbcLockStoreSettings.builder().commandTimeout(DeepCalls.COMMAND_TIMEOUT).build()));
		}

	}

}
