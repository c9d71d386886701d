package io.distlock.migration;

import org.junit.jupiter.api.Test;

import io.distlock.databases.PostgresServer;

import static org.assertj.core.api.Assertions.assertThat;

class PostgresShedLockTableTests extends AbstractShedLockTableTests {

	PostgresShedLockTableTests() {
		super(PostgresServer.start());
	}

	/**
	 * In a session of another time zone they mean another moment, and two would hold a
	 * lock.
	 */
	@Test
	void columnsWithATimeZoneAreRefused() {
		ShedLockTable locks = new ShedLockTable(database(), create(database(), "TIMESTAMP(3) WITH TIME ZONE"));
		assertThat(locks.check().problems()).hasSize(2)
			.first()
			.asString()
			.contains("The column lock_until of shedlock", " has the type timestamptz. Instances whose sessions have "
					+ "different time zones, of ShedLock too, would hold a lock at the same time. Change it to timestamp(3), "
					+ "which has no time zone.");
	}

}
