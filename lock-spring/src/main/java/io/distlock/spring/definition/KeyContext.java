package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.ConstructorExecutor;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.support.ReflectiveConstructorResolver;
import org.springframework.expression.spel.support.ReflectiveMethodExecutor;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.expression.spel.support.StandardTypeComparator;
import org.springframework.expression.spel.support.StandardTypeLocator;

/**
 * What an expression can reach in one call: what {@code @Cacheable} lets it reach. But no
 * null gets into the text of a key, or is taken for less than everything, wherever in the
 * expression it is.
 */
final class KeyContext extends MethodBasedEvaluationContext {

	KeyContext(KeyRoot root, Method method, @Nullable Object[] arguments, ParameterNameDiscoverer names,
			StandardEvaluationContext shared) {
		super(root, method, arguments, names);
		shared.applyDelegatesTo(this);
	}

	/** Creates the part that all evaluations of conditions share. */
	static StandardEvaluationContext shared(ConfigurableBeanFactory beans) {
		StandardEvaluationContext shared = new StandardEvaluationContext();
		shared.setBeanResolver(new BeanFactoryResolver(beans));
		shared.setTypeLocator(new StandardTypeLocator(beans.getBeanClassLoader()));
		shared.setTypeComparator(new ComparatorWithoutNull());
		return shared;
	}

	/**
	 * Creates the part that all evaluations of keys share. What gets a null may write it
	 * as the text {@code null}, so only methods that answer yes or no get one.
	 */
	static StandardEvaluationContext sharedOfKeys(ConfigurableBeanFactory beans) {
		StandardEvaluationContext shared = shared(beans);
		shared.setMethodResolvers(List.of(new MethodsWithoutNull()));
		shared.setConstructorResolvers(List.of(new ConstructorsWithoutNull()));
		return shared;
	}

	private static void checkNoNull(String called, @Nullable Object... given) {
		for (Object value : given) {
			if (StableText.content(value) == null) {
				throw new UnusableValueException("gives null to " + called
						+ "; callers with different data could share one lock. Give it a default: (… ?: '-')");
			}
			if (hasNull(value)) {
				throw new UnusableValueException(
						"gives a null element to " + called + "; callers with different data could share one lock");
			}
		}
	}

	private static boolean hasNull(@Nullable Object given) {
		Object value = StableText.content(given);
		if (value instanceof Map<?, ?> map) {
			return hasNull(map.keySet()) || hasNull(map.values());
		}
		return value == null || (value instanceof Object[] array && Arrays.stream(array).anyMatch(KeyContext::hasNull))
				|| (value instanceof Collection<?> elements && elements.stream().anyMatch(KeyContext::hasNull));
	}

	/** Compares two values, of which none is null. */
	private static final class ComparatorWithoutNull implements TypeComparator {

		private final TypeComparator comparator = new StandardTypeComparator();

		@Override
		public boolean canCompare(@Nullable Object left, @Nullable Object right) {
			return left != null && right != null && this.comparator.canCompare(left, right);
		}

		@Override
		public int compare(@Nullable Object left, @Nullable Object right) {
			if (left == null || right == null) {
				throw new UnusableValueException("compares null with " + ((left != null) ? left : right));
			}
			return this.comparator.compare(left, right);
		}

	}

	private static final class MethodsWithoutNull extends ReflectiveMethodResolver {

		@Override
		public @Nullable MethodExecutor resolve(EvaluationContext context, Object target, String name,
				List<TypeDescriptor> argumentTypes) throws AccessException {
			MethodExecutor executor = super.resolve(context, target, name, argumentTypes);
			if (!(executor instanceof ReflectiveMethodExecutor found) || isQuestion(found.getMethod())) {
				return executor;
			}
			return (where, receiver, arguments) -> {
				String called = name + "(…)";
				checkNoNull(called, arguments);
				if (hasNull(receiver) && StableText.content(receiver) != null) {
					throw new UnusableValueException("calls " + called
							+ " of a value with a null element; callers with different data could share one lock");
				}
				if (name.equals("toString") && arguments.length == 0 && !(receiver instanceof Enum)) {
					return new TypedValue(StableText.of("calls toString() of ", receiver));
				}
				if (found.getMethod().getDeclaringClass() == String.class) {
					checkText(called, arguments);
				}
				return executor.execute(where, receiver, arguments);
			};
		}

		private static boolean isQuestion(Method method) {
			return method.getReturnType() == boolean.class || method.getReturnType() == Boolean.class;
		}

		private static void checkText(String called, @Nullable Object... given) {
			for (Object value : given) {
				List<?> parts = (value instanceof Collection<?> several) ? List.copyOf(several)
						: (value instanceof Object[] several) ? List.of(several) : List.of(value);
				if (!(value instanceof char[])) {
					parts.forEach((part) -> StableText.of("gives to " + called + " ", part));
				}
			}
		}

	}

	private static final class ConstructorsWithoutNull extends ReflectiveConstructorResolver {

		@Override
		public @Nullable ConstructorExecutor resolve(EvaluationContext context, String typeName,
				List<TypeDescriptor> argumentTypes) throws AccessException {
			ConstructorExecutor executor = super.resolve(context, typeName, argumentTypes);
			return (executor == null) ? null : (where, arguments) -> {
				checkNoNull("new " + typeName + "(…)", arguments);
				return executor.execute(where, arguments);
			};
		}

	}

}
