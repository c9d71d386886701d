package io.distlock.spring.definition;

import java.io.Serial;

/**
 * Reports a value that an expression must not use. The message follows the expression.
 */
final class UnusableValueException extends RuntimeException {

	@Serial
	private static final long serialVersionUID = 1L;

	UnusableValueException(String message) {
		super(message, null, false, false);
	}

}
