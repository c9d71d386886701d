package io.distlock.autoconfigure.health;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** The health of locks on Spring Boot 4. */
final class LockHealthContributor implements HealthIndicator {

	private final LockHealth locks;

	LockHealthContributor(LockHealth locks) {
		this.locks = locks;
	}

	@Override
	public Health health() {
		LockHealth.Report report = this.locks.check();
		return (report.up() ? Health.up() : Health.down()).withDetails(report.details()).build();
	}

}
