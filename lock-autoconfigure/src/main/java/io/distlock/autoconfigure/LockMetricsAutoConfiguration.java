package io.distlock.autoconfigure;

import java.util.Optional;

import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

import io.distlock.CloseableLockTemplate;
import io.distlock.LockTemplate;
import io.distlock.stores.LockTemplates;

/**
 * Registers lock metrics if Micrometer is present. The metrics cover every template that
 * notifies the context's {@code LockObserver}. The lag of renewals is measured if there
 * is one {@link CloseableLockTemplate}.
 */
@AutoConfiguration(after = LockAnnotationAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(LockTemplate.class)
@ConditionalOnDistributedLockEnabled
public final class LockMetricsAutoConfiguration {

	/**
	 * Provides one set of names for meters and observations, so that both limit the same
	 * names.
	 */
	@Bean
	LockNames lockNames() {
		return new LockNames();
	}

	@Bean
	LockMeters lockMeters(ObjectProvider<CloseableLockTemplate> template, ObjectProvider<ConfiguredStores> stores,
			LockNames names) {
		// Each skipped call asks for this bean.
		SingletonSupplier<Optional<ConfiguredStores>> named = SingletonSupplier.of(() -> stores.stream().findFirst());
		return new LockMeters(template::getIfUnique,
				(name) -> named.obtain().map((known) -> known.idOf(name)).orElse(LockTemplates.DEFAULT),
				(id) -> named.obtain().flatMap((known) -> known.lostNodes(id)), names);
	}

}
