package io.distlock.migration.tests;

import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.migration.LockMigrationAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** Settings of another library's locks count where such locks are, and nowhere else. */
class ForeignSettingsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class,
				LockMigrationAutoConfiguration.class))
		.withBean(LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", 1));

	/** With the dry run of nobody, the lock would be taken, and under the wrong name. */
	@ParameterizedTest
	@ValueSource(strings = { "dry-run=true", "key=app:{key}", "names.stock=old", "table=locks" })
	void settingsOfNoStoreAreRefused(String setting) {
		this.runner
			.withPropertyValues("distributed-lock.store=memory", "distributed-lock.stores.old.type=redisson",
					"distributed-lock.foreign." + setting, "distributed-lock.locks.stock.store=default,old")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(LockConfigurationException.class)
				.hasMessageContaining("The property distributed-lock.foreign." + setting.replaceFirst("[.=].*", "")
						+ " has no effect, because the default store has no locks of another library."));
	}

	@Test
	void settingsOfAStoreCount() {
		this.runner.withPropertyValues("distributed-lock.store=memory", "distributed-lock.stores.old.type=redisson",
				"distributed-lock.stores.old.foreign.key=app:{key}", "distributed-lock.locks.stock.store=default,old")
			.run((context) -> assertThat(context).hasNotFailed());
		this.runner.withPropertyValues("distributed-lock.store=Redisson", "distributed-lock.foreign.key=app:{key}")
			.run((context) -> assertThat(context).hasNotFailed());
	}

}
