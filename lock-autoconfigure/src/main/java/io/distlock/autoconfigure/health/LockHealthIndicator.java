package io.distlock.autoconfigure.health;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health of locks on Spring Boot 3. */
final class LockHealthIndicator implements HealthIndicator {

	private final LockHealth locks;

	LockHealthIndicator(LockHealth locks) {
		this.locks = locks;
	}

	@Override
	public Health health() {
		LockHealth.Report report = this.locks.check();
		return (report.up() ? Health.up() : Health.down()).withDetails(report.details()).build();
	}

}
