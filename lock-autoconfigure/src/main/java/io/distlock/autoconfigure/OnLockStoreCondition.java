package io.distlock.autoconfigure;

import java.util.List;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.Assert;

import io.distlock.autoconfigure.LockProperties.StoreType;

/** Which store an application keeps its locks in. */
final class OnLockStoreCondition extends SpringBootCondition implements ConfigurationCondition {

	private static final String PROPERTY = LockProperties.PREFIX + ".store";

	/** Connections are beans, so they have to be there. */
	@Override
	public ConfigurationPhase getConfigurationPhase() {
		return ConfigurationPhase.REGISTER_BEAN;
	}

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		StoreType type = metadata.getAnnotations().get(ConditionalOnLockStore.class).getEnum("value", StoreType.class);
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnLockStore.class, type);
		Environment environment = context.getEnvironment();
		try {
			StoreType configured = Binder.get(environment).bind(PROPERTY, StoreType.class).orElse(null);
			if (configured != null) {
				return new ConditionOutcome(configured == type, message.because(PROPERTY + " is " + configured));
			}
		}
		catch (BindException ex) {
			// LockProperties, which need the same property, explain it.
			return ConditionOutcome.noMatch(message.because(PROPERTY + " names no store"));
		}
		ConfigurableListableBeanFactory beans = context.getBeanFactory();
		Assert.state(beans != null, "The condition needs a bean factory");
		List<StoreModule> possible = StoreModule.possible(beans, environment);
		return new ConditionOutcome(possible.size() == 1 && possible.get(0).type() == type,
				message.because("locks could be kept by " + possible));
	}

}
