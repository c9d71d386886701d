package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/**
 * The condition of an annotated method gave neither true nor false for one call, or
 * failed, so that it is not known whether the call needs its lock. The body did not run.
 *
 * @serial exclude
 */
public class LockConditionException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String method;

	private final String expression;

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
		super("", annotation + " on " + method + ": condition '" + expression + "' " + reason, cause);
		this.method = method;
		this.expression = expression;
	}

	/**
	 * The annotated method.
	 * @return for instance {@code StockService.deduct(Order)}
	 */
	public String method() {
		return this.method;
	}

	/**
	 * The condition.
	 * @return as written in the annotation
	 */
	public String expression() {
		return this.expression;
	}

}
