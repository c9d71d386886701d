package io.distlock.autoconfigure.actuate;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointId;
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

	@Bean
	@ConditionalOnAvailableEndpoint
	@ConditionalOnMissingBean
	LocksEndpoint locksEndpoint(LockOperations operations, ObjectProvider<CloseableLockTemplate> templates,
			ObjectProvider<LockStores> stores, LockDefinitions definitions, ObjectProvider<LockKeySanitizer> sanitizers,
			ObjectProvider<LeaderElection> elections, ApplicationEventPublisher publisher, Environment environment) {
		// Spring Boot's bean caches the first answer, whatever the default.
		Access access = new PropertiesEndpointAccessResolver(environment).accessFor(EndpointId.of(LocksEndpoint.ID),
				Access.READ_ONLY);
		return new LocksEndpoint(operations, new LocksSource(stores, templates, definitions, elections),
				sanitizers.orderedStream().toList(), publisher, access);
	}

	@Bean
	@ConditionalOnAvailableEndpoint(endpoint = LocksEndpoint.class, exposure = EndpointExposure.WEB)
	@ConditionalOnBean(LocksEndpoint.class)
	@ConditionalOnMissingBean
	LocksWebExtension locksWebExtension(LocksEndpoint endpoint) {
		return new LocksWebExtension(endpoint);
	}

}
