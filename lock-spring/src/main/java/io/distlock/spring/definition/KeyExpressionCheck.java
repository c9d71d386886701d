package io.distlock.spring.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FloatLiteral;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.LongLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorInstanceof;
import org.springframework.expression.spel.ast.OperatorMatches;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.RealLiteral;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.support.NearestName;

/**
 * Compares a key expression with the signature of its method. SpEL itself takes an
 * unknown variable for null, and reports a forgotten quote only at the first call.
 */
final class KeyExpressionCheck {

	private static final List<Class<?>> NEVER_TEXT = List.of(OpAnd.class, OpOr.class, OperatorNot.class, OpEQ.class,
			OpNE.class, OpGT.class, OpGE.class, OpLT.class, OpLE.class, OperatorBetween.class, OperatorInstanceof.class,
			OperatorMatches.class, OpMinus.class, OpDivide.class, OpModulus.class, OperatorPower.class);

	private final LockedMethodId id;

	/** The expression and its attribute: {@code key '#order.id'}. */
	private final String title;

	private final Set<String> variables = new HashSet<>(Set.of("root", "this"));

	private final List<String> named = new ArrayList<>();

	private final Map<String, Integer> indexes = new HashMap<>();

	private final PropertyPathCheck paths;

	private final Set<String> tokenNames;

	private final String parameters;

	private final BeanFactory beans;

	KeyExpressionCheck(LockedMethodId id, String title, @Nullable String @Nullable [] names, BeanFactory beans) {
		this.id = id;
		this.title = title;
		this.beans = beans;
		List<String> positions = new ArrayList<>();
		for (int i = 0; i < id.parameterCount(); i++) {
			positions.add("#p" + i);
			this.variables.addAll(List.of("p" + i, "a" + i));
			this.indexes.put("p" + i, i);
			this.indexes.put("a" + i, i);
			String name = (names != null && i < names.length) ? names[i] : null;
			if (name != null) {
				this.named.add(name);
				this.variables.add(name);
				this.indexes.put(name, i);
			}
		}
		this.parameters = describe(positions, this.named.stream().map((name) -> "#" + name).toList());
		this.paths = new PropertyPathCheck(id, title);
		this.tokenNames = tokenNames(id, names);
	}

	private static Set<String> tokenNames(LockedMethodId id, @Nullable String @Nullable [] names) {
		TokenParameter token = TokenParameter.of(id);
		if (token == null) {
			return Set.of();
		}
		Set<String> all = new HashSet<>(Set.of("p" + token.index(), "a" + token.index()));
		if (names != null && names[token.index()] != null) {
			all.add(names[token.index()]);
		}
		return all;
	}

	private static String describe(List<String> positions, List<String> named) {
		if (positions.isEmpty()) {
			return "The method has no parameters";
		}
		String byPosition = String.join(", ", positions);
		return named.isEmpty()
				? "The class has no parameter names: compile it with -parameters, or use positions: " + byPosition
				: "The parameters are " + String.join(", ", named) + ", by position " + byPosition;
	}

	void check(SpelNode node) {
		check(node, true);
	}

	/**
	 * Checks a node and the nodes below it.
	 * @param node the node
	 * @param onRoot whether a plain name at this place would be a property of the root
	 */
	private void check(SpelNode node, boolean onRoot) {
		checkKind(node);
		if (node instanceof VariableReference) {
			checkVariable(node.toStringAST());
		}
		else if (node instanceof FunctionReference) {
			throw invalid("calls " + node.toStringAST() + ", but there are no functions", this.parameters);
		}
		else if (node instanceof BeanReference) {
			checkBean(node.toStringAST());
		}
		else if (node instanceof PropertyOrFieldReference property && onRoot) {
			checkRootProperty(property.getName());
		}
		for (int i = 0; i < node.getChildCount(); i++) {
			boolean inside = node instanceof Projection || node instanceof Selection
					|| (node instanceof CompoundExpression && i > 0);
			check(node.getChild(i), onRoot && !inside);
		}
		if (node instanceof CompoundExpression) {
			checkPath(node, onRoot);
		}
	}

	/**
	 * Follows properties from a parameter, or from the root, as far as types are known.
	 */
	private void checkPath(SpelNode path, boolean onRoot) {
		PropertyPathCheck.Step step = null;
		SpelNode first = path.getChild(0);
		if (first instanceof VariableReference) {
			String name = first.toStringAST().substring(1);
			Integer index = this.indexes.get(name);
			step = (index != null) ? this.paths.parameter(index) : name.equals("root") ? this.paths.root() : null;
		}
		else if (first instanceof PropertyOrFieldReference property && onRoot) {
			step = this.paths.root().property(property.getName());
		}
		for (int i = 1; step != null && i < path.getChildCount(); i++) {
			step = (path.getChild(i) instanceof PropertyOrFieldReference property) ? step.property(property.getName())
					: null;
		}
	}

	private void checkKind(SpelNode node) {
		if (node instanceof Assign || node instanceof OpInc || node instanceof OpDec) {
			throw invalid("assigns a value: " + node.toStringAST(), "Only read values; compare with ==");
		}
	}

	private void checkVariable(String reference) {
		if (this.tokenNames.contains(reference.substring(1))) {
			throw invalid("uses " + reference + ", the fencing token, which is known only when the lock is held",
					"Use the other parameters");
		}
		if (!this.variables.contains(reference.substring(1))) {
			throw invalid("uses the unknown variable " + reference, meant(reference.substring(1)) + this.parameters);
		}
	}

	private String meant(String name) {
		return NearestName.of(name, this.named).map((near) -> "Did you mean #" + near + "? ").orElse("");
	}

	private void checkBean(String reference) {
		String name = reference.replaceAll("^[@&]|'", "");
		if (!this.beans.containsBean(name)) {
			throw invalid("uses " + reference + ", but there is no bean '" + name + "'", "Name a bean that exists");
		}
	}

	private void checkRootProperty(String name) {
		if (!KeyRoot.PROPERTIES.contains(name)) {
			throw invalid("uses the unknown name " + name, "For a parameter write #" + name
					+ ", for a fixed text write '" + name + "' in single quotes. " + this.parameters);
		}
	}

	/**
	 * Refuses a concatenation that {@link StrictEvaluation} does not meet, because SpEL
	 * itself evaluates a node above it and would write a null part as text.
	 * @param node the expression of a key
	 */
	void checkSums(SpelNode node) {
		checkSums(node, node, true);
	}

	private void checkSums(SpelNode node, SpelNode parent, boolean met) {
		if (isNeverText(node)) {
			return;
		}
		boolean sum = StrictEvaluation.isSum(node);
		if (sum && !met && !isNumber(node.getChild(0)) && !isNumber(node.getChild(1))) {
			throw invalid(
					"concatenates " + node.toStringAST() + " inside of " + parent.toStringAST()
							+ ", where a null part would become the text null",
					"Concatenate last: 'x:' + #name.trim(), or do it in a method of a bean: @bean.method(#p0)");
		}
		boolean composes = sum || node instanceof Ternary || node instanceof Elvis || node instanceof InlineList;
		for (int i = 0; i < node.getChildCount(); i++) {
			SpelNode child = node.getChild(i);
			if (child instanceof Projection && met && node instanceof CompoundExpression && i > 0) {
				checkSums(child.getChild(0), child, true);
			}
			else if (!(node instanceof Ternary && i == 0)) {
				checkSums(child, node, met && (composes || (node instanceof CompoundExpression && i == 0)));
			}
		}
	}

	private static boolean isNumber(SpelNode node) {
		return node instanceof IntLiteral || node instanceof LongLiteral || node instanceof RealLiteral
				|| node instanceof FloatLiteral;
	}

	/** Returns whether a node yields true, false, a number or an error. */
	private static boolean isNeverText(SpelNode node) {
		return NEVER_TEXT.stream().anyMatch((type) -> type.isInstance(node));
	}

	private InvalidLockDefinitionException invalid(String reason, String fix) {
		return this.id.invalid(this.title + " " + reason, fix);
	}

}
