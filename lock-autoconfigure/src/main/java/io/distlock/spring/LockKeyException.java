package io.distlock.spring;

import org.jspecify.annotations.Nullable;

import io.distlock.LockException;

/**
 * The key of an annotated method could not be told for one call: its expression failed,
 * or gave null, a blank text or something that is no key. The body did not run.
 *
 * @serial exclude
 */
public class LockKeyException extends LockException {

	private static final long serialVersionUID = 1L;

	private final String method;

	private final String expression;

	/**
	 * Creates an exception.
	 * @param annotation the annotation, for instance {@code @DistributedLock}
	 * @param method the method, for instance {@code StockService.deduct(Order)}
	 * @param expression the key expression
	 * @param reason what is wrong, as a clause that follows the expression
	 * @param cause what the expression threw, or {@code null}
	 */
	public LockKeyException(String annotation, String method, String expression, String reason,
			@Nullable Throwable cause) {
		super("", annotation + " on " + method + ": key '" + expression + "' " + reason, cause);
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
	 * The key expression.
	 * @return as written in the annotation
	 */
	public String expression() {
		return this.expression;
	}

}
