package io.distlock.spring.definition;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.support.StandardEvaluationContext;

import io.distlock.spring.LockKeyException;
import io.distlock.support.ForeignText;

/** The key of one method. It is parsed once and evaluated at every call. */
final class KeyExpression {

	private final LockedMethodId id;

	private final SpelExpression expression;

	private final ParameterNameDiscoverer parameterNames;

	private final StandardEvaluationContext shared;

	private final SpelParserConfiguration configuration;

	/**
	 * Creates a key.
	 * @param id the method
	 * @param expression what to evaluate
	 * @param parameterNames knows the parameter names of the method
	 * @param shared the common part of all evaluations; creating it costs more than
	 * everything else
	 * @param configuration the configuration of the parser
	 */
	KeyExpression(LockedMethodId id, SpelExpression expression, ParameterNameDiscoverer parameterNames,
			StandardEvaluationContext shared, SpelParserConfiguration configuration) {
		this.id = id;
		this.expression = expression;
		this.parameterNames = parameterNames;
		this.shared = shared;
		this.configuration = configuration;
	}

	/**
	 * Returns the keys of one call.
	 * @param target the object of the call
	 * @param arguments the arguments of the call
	 * @return one text, or one for each element of a collection or an array
	 * @throws LockKeyException if a value cannot be a key
	 */
	List<String> evaluate(Object target, @Nullable Object[] arguments) {
		ExpressionState state = new ExpressionState(context(target, arguments), this.configuration);
		try {
			return KeyEvaluation.all(this.expression.getAST(), state);
		}
		catch (UnusableValueException ex) {
			throw failure(ex.getMessage(), null);
		}
		catch (EvaluationException ex) {
			throw failure("could not be evaluated: " + ForeignText.messageOf(ex), ex);
		}
		catch (RuntimeException ex) {
			throw failure("could not be evaluated: " + ex.getClass().getName() + ": " + ForeignText.messageOf(ex), ex);
		}
	}

	/**
	 * Returns the value of the expression in one call.
	 * @param target the object of the call
	 * @param arguments the arguments of the call
	 * @return the value, of any type
	 * @throws UnusableValueException if the expression goes on with a null
	 */
	@Nullable Object value(Object target, @Nullable Object[] arguments) {
		ExpressionState state = new ExpressionState(context(target, arguments), this.configuration);
		return new StrictEvaluation(state).value(this.expression.getAST());
	}

	/** Returns whether the expression can only yield a text, a number or a list. */
	boolean isNeverBoolean() {
		SpelNode node = this.expression.getAST();
		return (node instanceof Literal && !(node instanceof BooleanLiteral)) || node instanceof OpPlus
				|| node instanceof InlineList;
	}

	/** Returns whether the keys are the same in each call. */
	boolean isConstant() {
		return parts().allMatch(KeyExpression::isConstant);
	}

	/** Returns the keys that are the same in each call. */
	List<String> constants() {
		return parts().filter(KeyExpression::isConstant).map(KeyExpression::text).toList();
	}

	/** Returns the elements of a list, or the whole expression. */
	private Stream<SpelNode> parts() {
		SpelNode node = this.expression.getAST();
		return (node instanceof InlineList) ? children(node) : Stream.of(node);
	}

	private static Stream<SpelNode> children(SpelNode node) {
		return IntStream.range(0, node.getChildCount()).mapToObj(node::getChild);
	}

	private static boolean isConstant(SpelNode node) {
		return node instanceof Literal
				|| (StrictEvaluation.isSum(node) && children(node).allMatch(KeyExpression::isConstant));
	}

	private static String text(SpelNode node) {
		return (node instanceof Literal literal) ? String.valueOf(literal.getLiteralValue().getValue())
				: children(node).map(KeyExpression::text).collect(Collectors.joining());
	}

	/** Returns the method of the expression. */
	LockedMethodId id() {
		return this.id;
	}

	LockKeyException severalForOneToken(List<String> keys) {
		return failure("gave " + keys.size() + " locks, so there is no one fencing token for the parameter annotated "
				+ "with @FencingToken", null);
	}

	private EvaluationContext context(Object target, @Nullable Object[] arguments) {
		KeyRoot root = new KeyRoot(this.id.method(), target, arguments);
		return new KeyContext(root, this.id.method(), arguments, this.parameterNames, this.shared);
	}

	private LockKeyException failure(@Nullable String reason, @Nullable Throwable cause) {
		return new LockKeyException(this.id.annotation(), this.id.describe(), this.expression.getExpressionString(),
				(reason != null) ? reason : "failed", cause);
	}

}
