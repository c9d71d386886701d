package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/**
 * Thrown if an expression of an annotated method yields no usable value for a call. The
 * body does not run.
 *
 * @serial exclude
 */
public abstract class LockExpressionException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String method;

	private final String expression;

	LockExpressionException(String message, String method, String expression, @Nullable Throwable cause) {
		super("", message, cause);
		this.method = method;
		this.expression = expression;
	}

	/**
	 * Returns the annotated method.
	 * @return for instance {@code StockService.deduct(Order)}
	 */
	public String method() {
		return this.method;
	}

	/**
	 * Returns the expression.
	 * @return as written in the annotation
	 */
	public String expression() {
		return this.expression;
	}

}
