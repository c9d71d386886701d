package io.distlock.spring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the key of an annotated method cannot be evaluated: its expression fails, or
 * its result is null, blank or unsuitable as a key. The body does not run.
 *
 * @serial exclude
 */
public class LockKeyException extends LockExpressionException {

	private static final long serialVersionUID = 1L;

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
		super(annotation + " on " + method + ": key '" + expression + "' " + reason, method, expression, cause);
	}

}
