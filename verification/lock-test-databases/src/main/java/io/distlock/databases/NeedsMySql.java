package io.distlock.databases;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The tests start a {@link MySqlServer}, in the full proof only. Where its binary does
 * not run, the build says so, and fails if the system property {@code test.servers} is
 * {@code required}.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(NeedsMySql.Condition.class)
@Tag("ci")
public @interface NeedsMySql {

	/** Decides by a try of the binary. */
	final class Condition implements ExecutionCondition {

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			return evaluate(MySqlBinary.get().problem(), System.getProperty(ServerCondition.PROPERTY, ""));
		}

		static ConditionEvaluationResult evaluate(Optional<String> problem, String wanted) {
			return problem.map((reason) -> ServerCondition.missing(reason, wanted))
				.orElseGet(() -> ConditionEvaluationResult.enabled("MySQL 8 runs here"));
		}

	}

}
