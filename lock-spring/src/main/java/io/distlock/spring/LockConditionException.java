package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/**
 * The condition of an annotated method gave neither true nor false for one call, or
 * failed, so that it is not known whether the call needs its lock. The body did not run.
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
