package io.distlock.spring.definition;

import java.io.Serial;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Makes the text of a key. Refuses values with which calls with different data would
 * share a lock, or calls with the same data would get different locks.
 */
final class KeyEvaluation {

	/**
	 * Types whose texts contain an address in memory, or the time zone of the process.
	 * They are named as text because the module java.sql may be absent.
	 */
	private static final Set<String> WITH_TEXT_OF_PROCESS = Set.of("java.lang.Object", "java.util.Date",
			"java.sql.Timestamp", "java.util.Calendar");

	private static final ClassValue<Boolean> HAS_TEXT_OF_PROCESS = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			try {
				return WITH_TEXT_OF_PROCESS.contains(type.getMethod("toString").getDeclaringClass().getName());
			}
			catch (NoSuchMethodException ex) {
				return true;
			}
		}

	};

	private KeyEvaluation() {
	}

	/**
	 * Evaluates an expression.
	 * @param node the expression
	 * @param state the state of the evaluation
	 * @return the text of the value, or the texts of its elements if it has several
	 * @throws NotAKeyException if a value cannot be a key
	 */
	static List<String> all(SpelNode node, ExpressionState state) {
		@Nullable Object content = content(value(node, state));
		@Nullable Object @Nullable [] elements = elements(content);
		if (elements == null || content == null) {
			return List.of(notBlank("evaluated to ", content));
		}
		if (elements.length == 0) {
			throw new NotAKeyException(
					"evaluated to an empty " + content.getClass().getTypeName() + "; nothing would be locked");
		}
		List<String> texts = new ArrayList<>(elements.length);
		for (Object element : elements) {
			texts.add(notBlank("has an element (" + (texts.size() + 1) + " of " + elements.length + ") that is ",
					element));
		}
		return texts;
	}

	/**
	 * Returns the elements of a collection or an array. Bytes and characters are parts of
	 * one value instead.
	 */
	private static @Nullable Object @Nullable [] elements(@Nullable Object value) {
		if (value instanceof Collection<?> collection) {
			return collection.toArray();
		}
		boolean array = value != null && value.getClass().isArray() && !(value instanceof byte[])
				&& !(value instanceof char[]);
		return array ? ObjectUtils.toObjectArray(value) : null;
	}

	private static String notBlank(String what, @Nullable Object value) {
		String text = of(what, value);
		if (text.isBlank()) {
			throw new NotAKeyException(what + "a blank text; callers with different data would share one lock");
		}
		return text;
	}

	/**
	 * Evaluates an expression and concatenates texts itself, also in nested expressions,
	 * because SpEL would write a null part as the text {@code null}.
	 */
	private static @Nullable Object value(SpelNode node, ExpressionState state) {
		if (node instanceof OpPlus && node.getChildCount() == 2) {
			return sum(node, state);
		}
		if (node instanceof Ternary && node.getChild(0).getValue(state) instanceof Boolean first) {
			return value(node.getChild(first ? 1 : 2), state);
		}
		if (node instanceof Elvis) {
			Object given = content(value(node.getChild(0), state));
			return (given == null || given.equals("")) ? value(node.getChild(1), state) : given;
		}
		if (node instanceof InlineList list && !list.isConstant()) {
			return IntStream.range(0, node.getChildCount())
				.mapToObj((i) -> value(node.getChild(i), state))
				.collect(Collectors.toCollection(ArrayList::new));
		}
		return node.getValue(state);
	}

	private static @Nullable Object sum(SpelNode node, ExpressionState state) {
		Object left = part(node.getChild(0), state);
		Object right = part(node.getChild(1), state);
		if (left instanceof Number && right instanceof Number) {
			return node.getValue(state);
		}
		return partText(node.getChild(0), left) + partText(node.getChild(1), right);
	}

	/**
	 * Returns the text of a part. It may be blank only if the expression has a blank
	 * literal.
	 */
	private static String partText(SpelNode node, Object value) {
		String text = of("has a part, " + node.toStringAST() + ", that is ", value);
		if (text.isBlank() && !(node instanceof StringLiteral)) {
			throw badPart("blank", node);
		}
		return text;
	}

	private static Object part(SpelNode node, ExpressionState state) {
		Object value = content(value(node, state));
		if (value == null) {
			throw badPart("null", node);
		}
		return value;
	}

	private static NotAKeyException badPart(String kind, SpelNode node) {
		return new NotAKeyException("has a part that is " + kind + ": " + node.toStringAST()
				+ "; callers with different data would share one lock");
	}

	/** Unwraps each kind of {@code Optional}. */
	private static @Nullable Object content(@Nullable Object value) {
		if (value instanceof Optional<?> optional) {
			return optional.orElse(null);
		}
		if (value instanceof OptionalInt optional) {
			return optional.isPresent() ? optional.getAsInt() : null;
		}
		if (value instanceof OptionalLong optional) {
			return optional.isPresent() ? optional.getAsLong() : null;
		}
		if (value instanceof OptionalDouble optional) {
			return optional.isPresent() ? optional.getAsDouble() : null;
		}
		return value;
	}

	private static String of(String what, @Nullable Object given) {
		Object value = content(given);
		if (value == null) {
			throw new NotAKeyException(what + "null; callers with different data would share one lock");
		}
		if (value instanceof Enum<?> constant) {
			return constant.name();
		}
		if (value instanceof Iterable || value instanceof Map || value.getClass().isArray()) {
			throw new NotAKeyException(what + "a " + value.getClass().getTypeName()
					+ ", which is no text; a key is one text, or a collection or an array of texts");
		}
		if (isOfThisProcess(value)) {
			throw new NotAKeyException(what + "a " + value.getClass().getTypeName()
					+ ", whose text is not the same in every process; use one of its properties");
		}
		return value.toString();
	}

	/**
	 * Returns whether the text of a value contains its address in memory, or the time
	 * zone of the process. This includes a record that puts such a value into its text.
	 */
	private static boolean isOfThisProcess(Object value) {
		if (value.getClass().isArray() || HAS_TEXT_OF_PROCESS.get(value.getClass())) {
			return true;
		}
		return value instanceof Record
				&& Arrays.stream(value.getClass().getRecordComponents()).anyMatch((component) -> {
					Method accessor = component.getAccessor();
					ReflectionUtils.makeAccessible(accessor);
					Object part = ReflectionUtils.invokeMethod(accessor, value);
					return part != null && isOfThisProcess(part) && value.toString().contains(part.toString());
				});
	}

	/** Reports a value that cannot be a key. The message follows the expression. */
	static final class NotAKeyException extends RuntimeException {

		@Serial
		private static final long serialVersionUID = 1L;

		NotAKeyException(String message) {
			super(message, null, false, false);
		}

	}

}
