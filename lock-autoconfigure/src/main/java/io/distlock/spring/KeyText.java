package io.distlock.spring;

import java.io.Serial;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.OpPlus;

/**
 * The text of a key. Refuses whatever would make calls with different data share a lock,
 * or calls with the same data have different ones.
 */
final class KeyText {

	private static final ClassValue<Boolean> INHERITS_TO_STRING = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			try {
				return type.getMethod("toString").getDeclaringClass() == Object.class;
			}
			catch (NoSuchMethodException ex) {
				return true;
			}
		}

	};

	private KeyText() {
	}

	static String of(SpelNode node, ExpressionState state) {
		String text = of(node, value(node, state));
		if (text.isBlank()) {
			throw new NotAKeyException("evaluated to a blank text; callers with different data would share one lock");
		}
		return text;
	}

	/**
	 * SpEL would concatenate a null part as the text {@code null}, so it is done here.
	 */
	private static @Nullable Object value(SpelNode node, ExpressionState state) {
		if (!(node instanceof OpPlus) || node.getChildCount() != 2) {
			return node.getValue(state);
		}
		Object left = part(node.getChild(0), state);
		Object right = part(node.getChild(1), state);
		if (left instanceof Number && right instanceof Number) {
			return node.getValue(state);
		}
		return of(node.getChild(0), left) + of(node.getChild(1), right);
	}

	private static Object part(SpelNode node, ExpressionState state) {
		Object value = value(node, state);
		if (value == null) {
			throw new NotAKeyException("has a part that is null: " + node.toStringAST()
					+ "; callers with different data would share one lock");
		}
		return value;
	}

	private static String of(SpelNode node, @Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return of(node, optional.orElse(null));
		}
		if (value == null) {
			throw new NotAKeyException("evaluated to null; callers with different data would share one lock");
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof Iterable || value instanceof Map || value.getClass().isArray()) {
			throw new NotAKeyException("evaluated to a " + value.getClass().getTypeName()
					+ "; a key of several values is not supported, join them into one text");
		}
		if (INHERITS_TO_STRING.get(value.getClass())) {
			throw new NotAKeyException("evaluated to a " + value.getClass().getTypeName()
					+ ", whose text is different in every process; use one of its properties");
		}
		return value.toString();
	}

	/** A value that cannot be a key; the message follows the expression. */
	static final class NotAKeyException extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		NotAKeyException(String message) {
			super(message, null, false, false);
		}

	}

}
