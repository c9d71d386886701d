package io.distlock.migration;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.atomic.LongAdder;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.ConfiguredStores;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.autoconfigure.LockConfigurationException;
import io.distlock.autoconfigure.LockStoreFactory;
import io.distlock.support.ForeignText;

/** Auto-configuration of stores whose locks are those of another library. */
@AutoConfiguration(before = LockAutoConfiguration.class)
@ConditionalOnDistributedLockEnabled
@EnableConfigurationProperties(ForeignLockProperties.class)
public final class LockMigrationAutoConfiguration {

	private static final List<String> TYPES = List.of("redisson", "spring-integration", "shedlock", "shedlock-jdbc",
			"lock4j");

	@Bean
	ForeignUse foreignLockUse(Environment environment) {
		refuseForeignOfNoStore(environment);
		return new ForeignUse();
	}

	/**
	 * Refuses settings of another library's locks that belong to no store. Whoever sets
	 * them believes that they count.
	 */
	private static void refuseForeignOfNoStore(Environment environment) {
		String store = environment.getProperty("distributed-lock.store", "");
		Map<String, Object> foreign = Binder.get(environment)
			.bind("distributed-lock." + ForeignLockProperties.GROUP, Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of());
		if (!foreign.isEmpty() && !TYPES.contains(store.toLowerCase(Locale.ROOT))) {
			String setting = ForeignText.of(new TreeSet<>(foreign.keySet()).first());
			throw new LockConfigurationException(
					"The property distributed-lock.foreign." + setting
							+ " has no effect, because the default store has no locks of another library.",
					"Set it for a store that has them: distributed-lock.stores.<id>.foreign." + setting
							+ ", with one of these types: " + String.join(", ", TYPES) + ".");
		}
	}

	@Bean
	LockStoreFactory shedlockTableFactory(ListableBeanFactory beans, ObjectProvider<ForeignLockNames> names,
			ForeignUse use) {
		return new ForeignLockStoreFactory("shedlock-jdbc", "ShedLock", beans, names, use);
	}

	/** Libraries that keep their locks in Redis. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	static class InRedis {

		@Bean
		LockStoreFactory redissonLockStoreFactory(ListableBeanFactory beans, ObjectProvider<ForeignLockNames> names,
				ForeignUse use) {
			return new ForeignLockStoreFactory("redisson", "Redisson", beans, names, use);
		}

		@Bean
		LockStoreFactory springIntegrationLockStoreFactory(ListableBeanFactory beans,
				ObjectProvider<ForeignLockNames> names, ForeignUse use) {
			return new ForeignLockStoreFactory("spring-integration", "Spring Integration", beans, names, use);
		}

		@Bean
		LockStoreFactory shedlockLockStoreFactory(ListableBeanFactory beans, ObjectProvider<ForeignLockNames> names,
				ForeignUse use) {
			return new ForeignLockStoreFactory("shedlock", "ShedLock", beans, names, use);
		}

		@Bean
		LockStoreFactory lock4jLockStoreFactory(ListableBeanFactory beans, ObjectProvider<ForeignLockNames> names,
				ForeignUse use) {
			return new ForeignLockStoreFactory("lock4j", "lock4j", beans, names, use);
		}

	}

	/** Meters, if there is Micrometer. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	static class Metered {

		/** The stores come first, as each brings a meter. */
		@Bean
		MeterBinder foreignLockMeters(ForeignUse use, ConfiguredStores stores) {
			return (registry) -> use
				.forEach((store, busy) -> FunctionCounter.builder("lock.foreign.busy", busy, LongAdder::sum)
					.description("Requests that found another library to have the lock")
					.tag("lock.store", store)
					.register(registry));
		}

	}

}
