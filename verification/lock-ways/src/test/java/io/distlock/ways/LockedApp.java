package io.distlock.ways;

import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;
import io.distlock.spi.LockStore;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What each application here has: annotated methods, and a store that a witness sees. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({ LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class })
public class LockedApp {

	@Bean
	LockStore witnessedStore() {
		return Witness.store();
	}

}
