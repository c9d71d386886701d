package io.distlock.autoconfigure;

import java.util.ArrayList;
import java.util.List;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if a property has the value that {@link ConditionalOnSwitch} requires. */
final class OnSwitchCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnSwitch.class);
		List<String> values = new ArrayList<>();
		for (MergedAnnotation<ConditionalOnSwitch> wanted : metadata.getAnnotations()
			.stream(ConditionalOnSwitch.class)
			.toList()) {
			String name = wanted.getString("name");
			boolean value = value(context.getEnvironment(), name, wanted.getBoolean("byDefault"));
			if (value != wanted.getBoolean("is")) {
				return ConditionOutcome.noMatch(message.because(name + " is " + value));
			}
			values.add(name + " is " + value);
		}
		return ConditionOutcome.match(message.because(String.join(", ", values)));
	}

	private static boolean value(Environment environment, String name, boolean byDefault) {
		try {
			return Binder.get(environment).bind(name, Boolean.class).orElse(byDefault);
		}
		catch (BindException ex) {
			// LockProperties bind the same property, and report the value.
			return byDefault;
		}
	}

}
