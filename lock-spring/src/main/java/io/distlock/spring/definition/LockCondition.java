package io.distlock.spring.definition;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;

import io.distlock.spring.LockConditionException;
import io.distlock.support.ForeignText;

/**
 * Decides whether a call needs its lock. The expression is parsed once and evaluated at
 * every call.
 */
final class LockCondition {

	private final KeyExpression expression;

	private final String text;

	/**
	 * Creates a condition.
	 * @param expression what to evaluate
	 * @param text the expression as written
	 */
	LockCondition(KeyExpression expression, String text) {
		this.expression = expression;
		this.text = text;
	}

	/**
	 * Returns whether a call needs its lock. Any result except true and false fails the
	 * call, because it must not decide by accident.
	 * @param target the object of the call
	 * @param arguments the arguments of the call
	 * @return the value of the expression
	 * @throws LockConditionException if the value is neither true nor false, or if the
	 * expression compares a null
	 */
	boolean evaluate(Object target, @Nullable Object[] arguments) {
		Object value;
		try {
			value = this.expression.value(target, arguments);
		}
		catch (UnusableValueException ex) {
			throw failure(String.valueOf(ex.getMessage()), null);
		}
		catch (EvaluationException ex) {
			throw failure("could not be evaluated: " + ForeignText.messageOf(ex), ex);
		}
		catch (RuntimeException ex) {
			throw failure("could not be evaluated: " + ex.getClass().getName() + ": " + ForeignText.messageOf(ex), ex);
		}
		if (value instanceof Boolean needed) {
			return needed;
		}
		throw failure("evaluated to " + ((value != null) ? "a " + value.getClass().getTypeName() : "null")
				+ ", which is neither true nor false", null);
	}

	/** Returns the expression as it was written. */
	String text() {
		return this.text;
	}

	private LockConditionException failure(String reason, @Nullable Throwable cause) {
		LockedMethodId id = this.expression.id();
		return new LockConditionException(id.annotation(), id.describe(), this.text, reason, cause);
	}

}
