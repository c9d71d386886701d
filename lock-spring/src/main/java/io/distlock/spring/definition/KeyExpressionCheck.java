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
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.support.NearestName;

/**
 * Compares a key expression with the signature of its method. SpEL itself takes an
 * unknown variable for null, and reports a forgotten quote only at the first call.
 */
final class KeyExpressionCheck {

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
		String refused = (node instanceof TypeReference) ? "refers to a type: "
				: (node instanceof ConstructorReference) ? "calls a constructor: "
						: (node instanceof Assign || node instanceof OpInc || node instanceof OpDec)
								? "assigns a value: " : null;
		if (refused != null) {
			throw invalid(refused + node.toStringAST(),
					"It may read arguments and beans only; put what it needs into a method of a bean: @bean.method(#p0)");
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

	private InvalidLockDefinitionException invalid(String reason, String fix) {
		return this.id.invalid(this.title + " " + reason, fix);
	}

}
