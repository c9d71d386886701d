package com.example.prices;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;

import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.autoconfigure.LockAutoConfiguration;

/** No more than locks need, since everything else is on the class path as well. */
@SpringBootConfiguration(proxyBeanMethods = false)
@ImportAutoConfiguration({ LockAutoConfiguration.class, LockAnnotationAutoConfiguration.class })
class PricesApplication {

	@Bean
	Prices prices() {
		return new Prices();
	}

}
