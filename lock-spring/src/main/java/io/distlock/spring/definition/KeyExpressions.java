package io.distlock.spring.definition;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

import io.distlock.support.ForeignText;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelCompilerMode;
import org.springframework.expression.spel.SpelParserConfiguration;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** Parses key expressions and refuses those that cannot work. */
final class KeyExpressions {

	/**
	 * Switches compilation off, because compiled expressions fail when an argument's
	 * class changes between calls.
	 */
	private final SpelParserConfiguration configuration = new SpelParserConfiguration(SpelCompilerMode.OFF, null);

	private final SpelExpressionParser parser = new SpelExpressionParser(this.configuration);

	private final ParameterNameDiscoverer discoverer = new DefaultParameterNameDiscoverer();

	private final StandardEvaluationContext sharedOfKeys;

	private final StandardEvaluationContext sharedOfConditions;

	private final BeanFactory beans;

	KeyExpressions(ConfigurableBeanFactory beans) {
		this.beans = beans;
		this.sharedOfKeys = KeyContext.sharedOfKeys(beans);
		this.sharedOfConditions = KeyContext.shared(beans);
	}

	KeyExpression parse(String text, LockedMethodId id) {
		String title = "key '" + text + "'";
		SpelExpression expression = parseRaw(title, text, id);
		@Nullable String @Nullable [] names = this.discoverer.getParameterNames(id.method());
		KeyExpressionCheck check = new KeyExpressionCheck(id, title, names, this.beans);
		check.check(expression.getAST());
		check.checkSums(expression.getAST());
		return new KeyExpression(id, expression, new KnownNames(names), this.sharedOfKeys, this.configuration);
	}

	/** Parses the expression that decides whether a call needs the lock. */
	LockCondition condition(String text, LockedMethodId id) {
		String title = "condition '" + text + "'";
		@Nullable String @Nullable [] names = this.discoverer.getParameterNames(id.method());
		SpelExpression parsed = parseRaw(title, text, id);
		new KeyExpressionCheck(id, title, names, this.beans).check(parsed.getAST());
		KeyExpression expression = new KeyExpression(id, parsed, new KnownNames(names), this.sharedOfConditions,
				this.configuration);
		if (expression.isNeverBoolean()) {
			throw id.invalid(title + " is neither true nor false", "Compare something: #order.amount > 100");
		}
		return new LockCondition(expression, text);
	}

	private SpelExpression parseRaw(String title, String text, LockedMethodId id) {
		try {
			return this.parser.parseRaw(text);
		}
		catch (ParseException | IllegalArgumentException ex) {
			throw id.invalid(title + " is not a valid expression: " + ForeignText.messageOf(ex),
					"Write a SpEL expression such as #order.id, or a text in single quotes");
		}
	}

	/**
	 * Keeps names after the first search, because a search at each call would cost too
	 * much.
	 */
	private record KnownNames(@Nullable String @Nullable [] names) implements ParameterNameDiscoverer {

		@Override
		public @Nullable String @Nullable [] getParameterNames(Method method) {
			return this.names;
		}

		@Override
		public @Nullable String @Nullable [] getParameterNames(Constructor<?> constructor) {
			return null;
		}

	}

}
