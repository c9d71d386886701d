package io.distlock.autoconfigure.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

import io.distlock.CloseableLockTemplate;
import io.distlock.autoconfigure.ConditionalOnDistributedLockEnabled;
import io.distlock.autoconfigure.LockAnnotationAutoConfiguration;
import io.distlock.leader.LeaderElection;
import io.distlock.operations.LockOperations;
import io.distlock.spring.startup.LockDefinitions;
import io.distlock.spring.startup.LockStores;

/** Auto-configuration of the endpoint {@code locks}. */
@AutoConfiguration(after = LockAnnotationAutoConfiguration.class)
@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
@ConditionalOnBean({ LockOperations.class, LockDefinitions.class })
@ConditionalOnDistributedLockEnabled
public final class LocksEndpointAutoConfiguration {

	private static final String UNRESTRICTED = "unrestricted";

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	LocksEndpoint locksEndpoint(LockOperations operations, ObjectProvider<CloseableLockTemplate> templates,
			ObjectProvider<LockStores> stores, LockDefinitions definitions, ObjectProvider<LockKeySanitizer> sanitizers,
			ObjectProvider<LeaderElection> elections, ApplicationEventPublisher publisher, Environment environment) {
		return new LocksEndpoint(operations, new LocksSource(stores, templates, definitions, elections),
				sanitizers.orderedStream().toList(), publisher, isUnrestricted(environment));
	}

	/**
	 * Returns whether the properties allow all operations. Before version 3.4 Spring Boot
	 * does not know them.
	 */
	private static boolean isUnrestricted(Environment environment) {
		String most = environment.getProperty("management.endpoints.access.max-permitted", UNRESTRICTED);
		String usual = environment.getProperty("management.endpoints.access.default", "");
		String own = environment.getProperty("management.endpoint." + LocksEndpoint.ID + ".access", usual);
		return UNRESTRICTED.equalsIgnoreCase(own) && UNRESTRICTED.equalsIgnoreCase(most);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class, exposure = EndpointExposure.WEB)
	@ConditionalOnBean(LocksEndpoint.class)
	@ConditionalOnMissingBean
	LocksWebExtension locksWebExtension(LocksEndpoint endpoint) {
		return new LocksWebExtension(endpoint);
	}

}
