package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the condition of an annotated method fails, or yields neither true nor false.
 * Then it is unknown whether the call needs its lock, so the body does not run.
 *
 * @serial exclude
 */
public class LockConditionException extends LockExpressionException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param annotation the annotation, for instance {@code @DistributedLock}
	 * @param method the method, for instance {@code StockService.deduct(Order)}
	 * @param expression the condition
	 * @param reason what is wrong, as a clause that follows the expression
	 * @param cause what the expression threw, or {@code null}
	 */
	public LockConditionException(String annotation, String method, String expression, String reason,
			@Nullable Throwable cause) {
		super(annotation + " on " + method + ": condition '" + expression + "' " + reason, method, expression, cause);
	}

}
