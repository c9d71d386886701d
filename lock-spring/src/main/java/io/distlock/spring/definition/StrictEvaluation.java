package io.distlock.spring.definition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Operator;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.util.ObjectUtils;

/**
 * Evaluates an expression as SpEL does, but refuses a null where SpEL goes on with it: as
 * a part of a concatenation, which SpEL writes as the text {@code null}, and as an
 * operand of a comparison, which SpEL takes for less than everything. A comparison with
 * the literal {@code null}, and {@code ?:}, are there to ask for null.
 */
final class StrictEvaluation {

	private static final TypeDescriptor BOOLEAN = TypeDescriptor.valueOf(Boolean.class);

	private final ExpressionState state;

	StrictEvaluation(ExpressionState state) {
		this.state = state;
	}

	/**
	 * Evaluates an expression.
	 * @param node the expression
	 * @return the value
	 * @throws UnusableValueException if the expression goes on with a null
	 */
	@Nullable Object value(SpelNode node) {
		return typed(node).getValue();
	}

	private TypedValue typed(SpelNode node) {
		if (isSum(node)) {
			return new TypedValue(sum(node));
		}
		if (node instanceof Ternary) {
			return typed(node.getChild(isTrue(node.getChild(0)) ? 1 : 2));
		}
		if (node instanceof Elvis) {
			Object given = StableText.content(value(node.getChild(0)));
			return (given == null || given.equals("")) ? typed(node.getChild(1)) : new TypedValue(given);
		}
		if (node instanceof InlineList list && !list.isConstant()) {
			return new TypedValue(IntStream.range(0, node.getChildCount())
				.mapToObj((i) -> value(node.getChild(i)))
				.collect(Collectors.toCollection(ArrayList::new)));
		}
		if (node instanceof CompoundExpression) {
			return path(node);
		}
		Boolean answer = answer(node);
		return (answer != null) ? new TypedValue(answer) : node.getTypedValue(this.state);
	}

	/** Returns whether a node adds numbers or concatenates texts. */
	static boolean isSum(SpelNode node) {
		return node instanceof OpPlus && node.getChildCount() == 2;
	}

	private @Nullable Object sum(SpelNode node) {
		Object left = part(node.getChild(0));
		Object right = part(node.getChild(1));
		if (left instanceof Number && right instanceof Number) {
			return node.getValue(this.state);
		}
		return partText(node.getChild(0), left) + partText(node.getChild(1), right);
	}

	private Object part(SpelNode node) {
		Object value = StableText.content(value(node));
		if (value == null) {
			throw badPart("null", node);
		}
		return value;
	}

	/**
	 * Returns the text of a part. It may be blank only if the expression has a blank
	 * literal.
	 */
	private static String partText(SpelNode node, Object value) {
		String text = StableText.of("has a part, " + node.toStringAST() + ", that is ", value);
		if (text.isBlank() && !(node instanceof StringLiteral)) {
			throw badPart("blank", node);
		}
		return text;
	}

	private static UnusableValueException badPart(String kind, SpelNode node) {
		return new UnusableValueException("has a part that is " + kind + ": " + node.toStringAST()
				+ "; callers with different data would share one lock");
	}

	/** Follows a path as SpEL does, except that its projections are strict too. */
	private TypedValue path(SpelNode node) {
		TypedValue reached = typed(node.getChild(0));
		for (int i = 1; i < node.getChildCount(); i++) {
			SpelNode step = node.getChild(i);
			this.state.pushActiveContextObject(reached);
			try {
				reached = (step instanceof Projection) ? projection(step, reached) : step.getTypedValue(this.state);
			}
			finally {
				this.state.popActiveContextObject();
			}
		}
		return reached;
	}

	private TypedValue projection(SpelNode node, TypedValue source) {
		Object value = StableText.content(source.getValue());
		boolean array = value != null && value.getClass().isArray();
		Iterable<? extends @Nullable Object> elements = array ? Arrays.asList(ObjectUtils.toObjectArray(value)) : null;
		if (value instanceof Map<?, ?> map) {
			elements = map.entrySet();
		}
		else if (value instanceof Iterable<?> iterable) {
			elements = iterable;
		}
		if (elements == null) {
			return node.getTypedValue(this.state);
		}
		List<@Nullable Object> results = new ArrayList<>();
		for (Object element : elements) {
			this.state.pushActiveContextObject(new TypedValue(element));
			this.state.enterScope();
			try {
				results.add(value(node.getChild(0)));
			}
			finally {
				this.state.exitScope();
				this.state.popActiveContextObject();
			}
		}
		return new TypedValue(array ? results.toArray() : results);
	}

	/**
	 * Returns the value of a logical operator or a comparison, {@code null} for others.
	 */
	private @Nullable Boolean answer(SpelNode node) {
		if (node instanceof OpAnd) {
			return isTrue(node.getChild(0)) && isTrue(node.getChild(1));
		}
		if (node instanceof OpOr) {
			return isTrue(node.getChild(0)) || isTrue(node.getChild(1));
		}
		if (node instanceof OperatorNot) {
			return !isTrue(node.getChild(0));
		}
		boolean equality = node instanceof OpEQ || node instanceof OpNE;
		boolean order = node instanceof OpGT || node instanceof OpGE || node instanceof OpLT || node instanceof OpLE;
		if (!equality && !order) {
			return null;
		}
		boolean asksForNull = equality
				&& (node.getChild(0) instanceof NullLiteral || node.getChild(1) instanceof NullLiteral);
		Object left = asksForNull ? value(node.getChild(0)) : operand(node.getChild(0));
		Object right = asksForNull ? value(node.getChild(1)) : operand(node.getChild(1));
		if (equality) {
			return Operator.equalityCheck(this.state.getEvaluationContext(), left, right) == node instanceof OpEQ;
		}
		int compared = this.state.getTypeComparator().compare(plain(left), plain(right));
		return (node instanceof OpGT) ? compared > 0
				: (node instanceof OpGE) ? compared >= 0 : (node instanceof OpLT) ? compared < 0 : compared <= 0;
	}

	private boolean isTrue(SpelNode node) {
		TypedValue value = typed(node);
		if (value.getValue() == null) {
			throw new UnusableValueException("asks whether " + node.toStringAST() + " is true, but it is null");
		}
		return Boolean.TRUE.equals(this.state.convertValue(value, BOOLEAN));
	}

	private Object operand(SpelNode node) {
		Object value = value(node);
		if (value == null) {
			throw new UnusableValueException("compares " + node.toStringAST() + ", which is null; ask for it first: "
					+ node.toStringAST() + " != null and …");
		}
		return value;
	}

	private static @Nullable Object plain(@Nullable Object value) {
		return (value instanceof CharSequence) ? value.toString() : value;
	}

}
