package io.distlock.autoconfigure.leader;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

import io.distlock.leader.LeaderElection;

/** Auto-configuration of the {@link LeaderElection} beans of the application. */
@AutoConfiguration
@ConditionalOnBean(value = LeaderElection.class, search = SearchStrategy.CURRENT)
public final class LeaderElectionAutoConfiguration {

	@Bean
	LeaderElectionLifecycle leaderElectionLifecycle(ListableBeanFactory beans, ApplicationEventPublisher publisher) {
		return new LeaderElectionLifecycle(beans, publisher);
	}

}
