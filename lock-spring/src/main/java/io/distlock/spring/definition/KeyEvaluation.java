package io.distlock.spring.definition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.util.ObjectUtils;

/** Makes the texts of the keys of one call. */
final class KeyEvaluation {

	private KeyEvaluation() {
	}

	/**
	 * Evaluates an expression.
	 * @param node the expression
	 * @param state the state of the evaluation
	 * @return the text of the value, or the texts of its elements if it has several
	 * @throws UnusableValueException if a value cannot be a key
	 */
	static List<String> all(SpelNode node, ExpressionState state) {
		@Nullable Object content = StableText.content(new StrictEvaluation(state).value(node));
		@Nullable Object @Nullable [] elements = elements(content);
		if (elements == null || content == null) {
			return List.of(notBlank("evaluated to ", content));
		}
		if (elements.length == 0) {
			throw new UnusableValueException(
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
		String text = StableText.of(what, value);
		if (text.isBlank()) {
			throw new UnusableValueException(what + "a blank text; callers with different data would share one lock");
		}
		return text;
	}

}
