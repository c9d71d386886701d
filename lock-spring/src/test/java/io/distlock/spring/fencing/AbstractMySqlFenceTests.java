package io.distlock.spring.fencing;

import org.junit.jupiter.api.Test;

import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.TransactionDefinition;

/** On servers of MySQL and MariaDB at READ COMMITTED. */
abstract class AbstractMySqlFenceTests extends AbstractJdbcFenceTests {

	@Override
	protected final String script() {
		return "fence-mysql.sql";
	}

	/** The default of these servers, with locks on gaps between rows. */
	@Test
	void raiseWhenReadsAreRepeatableThenTheSame() throws Exception {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		raiseWhenManyRaceThenNoneOverwritesALaterOne();
	}

	/**
	 * Repeats what the server ended: transactions that insert the first row of a resource
	 * together lock the same gap, so one of them is rolled back.
	 */
	@Override
	void write(long token) {
		while (true) {
			try {
				super.write(token);
				return;
			}
			catch (PessimisticLockingFailureException ex) {
				// Rolled back: nothing was written.
			}
		}
	}

}
