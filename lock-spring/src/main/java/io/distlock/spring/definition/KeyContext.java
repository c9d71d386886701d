package io.distlock.spring.definition;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.AccessException;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.MethodExecutor;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.spel.SpelEvaluationException;
import org.springframework.expression.spel.SpelMessage;
import org.springframework.expression.spel.support.ReflectiveMethodResolver;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * Lets a key expression reach the arguments, the target, the method, beans, and their
 * properties and methods. It cannot reach types, constructors, static members or
 * reflection, and it cannot assign.
 */
final class KeyContext extends MethodBasedEvaluationContext {

	private static final TypeLocator NO_TYPES = (name) -> {
		throw new SpelEvaluationException(SpelMessage.TYPE_NOT_FOUND, name);
	};

	KeyContext(KeyRoot root, Method method, @Nullable Object[] arguments, ParameterNameDiscoverer names,
			StandardEvaluationContext shared) {
		super(root, method, arguments, names);
		shared.applyDelegatesTo(this);
	}

	@Override
	public boolean isAssignmentEnabled() {
		return false;
	}

	/** Finds the getter or field that an expression reads as a property of a type. */
	static @Nullable Member property(Class<?> type, String name) {
		InstanceProperties properties = new InstanceProperties();
		Method getter = properties.findGetterForProperty(name, type, false);
		return (getter != null) ? getter : properties.findField(name, type, false);
	}

	/** Creates the part that all evaluations share. */
	static StandardEvaluationContext shared(BeanFactory beans) {
		StandardEvaluationContext shared = new StandardEvaluationContext();
		shared.setBeanResolver(new BeanFactoryResolver(beans));
		shared.setTypeLocator(NO_TYPES);
		shared.setConstructorResolvers(List.of());
		shared.setMethodResolvers(List.of(new InstanceMethods()));
		shared.setPropertyAccessors(List.of(new InstanceProperties()));
		return shared;
	}

	/**
	 * Calls no methods on {@code Class}, {@code ClassLoader}, {@code Module} or
	 * {@code Member}, because they would give access to everything.
	 */
	private static final class InstanceMethods extends ReflectiveMethodResolver {

		private static final List<Class<?>> CLOSED = List.of(Class.class, ClassLoader.class, Module.class,
				Member.class);

		@Override
		public @Nullable MethodExecutor resolve(EvaluationContext context, Object target, String name,
				List<TypeDescriptor> argumentTypes) throws AccessException {
			return CLOSED.stream().anyMatch((type) -> type.isInstance(target)) ? null
					: super.resolve(context, target, name, argumentTypes);
		}

		@Override
		protected boolean isCandidateForInvocation(Method method, Class<?> targetClass) {
			return isOfInstance(method) && super.isCandidateForInvocation(method, targetClass);
		}

	}

	/** Reads properties of an object, without static members. */
	private static final class InstanceProperties extends ReflectivePropertyAccessor {

		InstanceProperties() {
			super(false);
		}

		@Override
		protected @Nullable Method findGetterForProperty(String name, Class<?> type, boolean mustBeStatic) {
			Method found = mustBeStatic ? null : super.findGetterForProperty(name, type, false);
			return (found != null && isOfInstance(found)) ? found : null;
		}

		@Override
		protected @Nullable Field findField(String name, Class<?> type, boolean mustBeStatic) {
			Field found = mustBeStatic ? null : super.findField(name, type, false);
			return (found != null && isOfInstance(found)) ? found : null;
		}

	}

	private static boolean isOfInstance(Member member) {
		return !Modifier.isStatic(member.getModifiers());
	}

}
