package io.distlock.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import io.distlock.databases.ServerCondition;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The tests of a class open a {@link Browser}. Where none is found, the build says so,
 * and fails if the system property {@code test.servers} is {@code required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsBrowser.Condition.class)
public @interface NeedsBrowser {

	/** Decides by a search for a browser. */
	final class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			String problem = BrowserFinder.problem();
			if (problem == null) {
				return ConditionEvaluationResult.enabled("A browser was found");
			}
			return ServerCondition.missing(problem);
		}

	}

}
