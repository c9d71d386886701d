package io.distlock.autoconfigure.health;

import java.time.Instant;
import java.util.List;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.distlock.LockSettings;
import io.distlock.LockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConfiguredStores;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.leader.LeaderElection;
import io.distlock.stores.LockTemplates;

/**
 * Configures the health {@code locks}, which is in no group unless the application adds
 * it. The types of health have different names in Spring Boot 3 and 4, so there is one
 * part for each version.
 */
@AutoConfiguration(after = LockAutoConfiguration.class)
@ConditionalOnBean(LockTemplate.class)
@ConditionalOnDistributedLockEnabled
public final class LockHealthAutoConfiguration {

	/** Configures Spring Boot 3. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
	@ConditionalOnSingleCandidate(LockTemplate.class)
	static class OnSpringBoot3 {

		@Bean
		@org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator("locks")
		LockHealth lockHealth(ObjectProvider<LockTemplate> template, ObjectProvider<LockTemplates> templates,
				ObjectProvider<ConfiguredStores> stores, ObjectProvider<LockSettings> settings,
				ObjectProvider<LeaderElection> elections) {
			return health(template, templates, stores, settings, elections);
		}

		@Bean
		@ConditionalOnBean(LockHealth.class)
		@ConditionalOnMissingBean(name = { "locksHealthIndicator", "locksHealthContributor" })
		LockHealthIndicator locksHealthIndicator(LockHealth health) {
			return new LockHealthIndicator(health);
		}

	}

	/** Configures Spring Boot 4. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
	@ConditionalOnSingleCandidate(LockTemplate.class)
	static class OnSpringBoot4 {

		@Bean
		@org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator("locks")
		LockHealth lockHealth(ObjectProvider<LockTemplate> template, ObjectProvider<LockTemplates> templates,
				ObjectProvider<ConfiguredStores> stores, ObjectProvider<LockSettings> settings,
				ObjectProvider<LeaderElection> elections) {
			return health(template, templates, stores, settings, elections);
		}

		@Bean
		@ConditionalOnBean(LockHealth.class)
		@ConditionalOnMissingBean(name = { "locksHealthIndicator", "locksHealthContributor" })
		LockHealthContributor locksHealthContributor(LockHealth health) {
			return new LockHealthContributor(health);
		}

	}

	private static LockHealth health(ObjectProvider<LockTemplate> template, ObjectProvider<LockTemplates> templates,
			ObjectProvider<ConfiguredStores> stores, ObjectProvider<LockSettings> settings,
			ObjectProvider<LeaderElection> elections) {
		return new LockHealth(template::getObject, templates::getIfUnique, (id) -> problems(stores, id),
				(id) -> lostNodes(stores, id), settings.getIfAvailable(() -> LockSettings.DEFAULTS).commandTimeout(),
				Instant::now, LockHealth::thread, elections::orderedStream);
	}

	private static List<String> lostNodes(ObjectProvider<ConfiguredStores> stores, String id) {
		return stores.stream().findFirst().flatMap((configured) -> configured.lostNodes(id)).orElse(List.of());
	}

	/** Repeats the check of a store that did not answer at the start. */
	private static List<String> problems(ObjectProvider<ConfiguredStores> stores, String id) {
		return stores.stream().findFirst().flatMap((configured) -> configured.get(id)).map((store) -> {
			store.check().runIfDue();
			return store.check().problems();
		}).orElse(List.of());
	}

}
