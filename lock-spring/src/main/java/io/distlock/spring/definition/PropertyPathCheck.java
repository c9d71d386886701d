package io.distlock.spring.definition;

import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.ResolvableType;
import org.springframework.expression.spel.support.ReflectivePropertyAccessor;
import org.springframework.util.ClassUtils;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.support.NearestName;

/**
 * Finds properties that cannot exist. It checks records and other final types, to which
 * no subclass can add properties.
 */
final class PropertyPathCheck {

	/** The highest number of property names in a message. */
	private static final int MOST_NAMES = 10;

	private static final Properties PROPERTIES = new Properties();

	private final LockedMethodId id;

	/** The expression and its attribute: {@code key '#order.id'}. */
	private final String expression;

	PropertyPathCheck(LockedMethodId id, String expression) {
		this.id = id;
		this.expression = expression;
	}

	/** Returns the type of a parameter. */
	Step parameter(int index) {
		return new Step(ResolvableType.forMethodParameter(this.id.method(), index, this.id.type()));
	}

	/** Returns the type of {@code #root}. */
	Step root() {
		return new Step(ResolvableType.forClass(KeyRoot.class));
	}

	/** One step of a path, whose type may be unknown. */
	final class Step {

		private final ResolvableType type;

		private Step(ResolvableType type) {
			this.type = type;
		}

		/**
		 * Follows a property.
		 * @param name name of the property
		 * @return the type of the property
		 * @throws InvalidLockDefinitionException if no object of this type can have the
		 * property
		 */
		Step property(String name) {
			Class<?> known = this.type.resolve();
			if (known == null || isOpenEnded(known)) {
				return new Step(ResolvableType.NONE);
			}
			Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(known);
			Member member = PROPERTIES.find(boxed, name);
			if (member instanceof Method getter) {
				return new Step(ResolvableType.forMethodReturnType(getter, boxed));
			}
			if (member instanceof Field field) {
				return new Step(ResolvableType.forField(field, this.type));
			}
			if (Modifier.isFinal(boxed.getModifiers())) {
				throw missing(boxed, name);
			}
			return new Step(ResolvableType.NONE);
		}

	}

	/**
	 * Returns whether SpEL reads more from an object than its type declares, for instance
	 * the value of an optional, static members of a class, or the length of an array.
	 */
	private static boolean isOpenEnded(Class<?> type) {
		return type.isArray() || type == Class.class || type.getName().startsWith("java.util.Optional");
	}

	private InvalidLockDefinitionException missing(Class<?> type, String name) {
		Set<String> names = properties(type);
		Set<String> candidates = new TreeSet<>(names);
		readers(type).map(Method::getName).forEach(candidates::add);
		String meant = NearestName.of(name, candidates).map((near) -> "Did you mean " + near + "? ").orElse("");
		String shown = names.stream().limit(MOST_NAMES).collect(Collectors.joining(", "));
		String has = names.isEmpty() ? " has no properties"
				: " has " + shown + ((names.size() > MOST_NAMES) ? ", and more" : "");
		String owner = (type == KeyRoot.class) ? "#root" : ClassUtils.getShortName(type);
		return this.id.invalid(this.expression + " reads " + name + ", which " + owner + " does not have",
				meant + owner + has);
	}

	private static Set<String> properties(Class<?> type) {
		Set<String> names = new TreeSet<>();
		if (type.isRecord()) {
			Arrays.stream(type.getRecordComponents()).map(RecordComponent::getName).forEach(names::add);
		}
		Arrays.stream(BeanUtils.getPropertyDescriptors(type))
			.filter((property) -> property.getReadMethod() != null && !property.getName().equals("class"))
			.forEach((property) -> names.add(property.getName()));
		Arrays.stream(type.getFields())
			.filter((field) -> !Modifier.isStatic(field.getModifiers()))
			.forEach((field) -> names.add(field.getName()));
		return names;
	}

	private static Stream<Method> readers(Class<?> type) {
		return Arrays.stream(type.getMethods())
			.filter((method) -> method.getParameterCount() == 0 && method.getReturnType() != void.class
					&& method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers()));
	}

	/** Finds the getter or field that SpEL reads as a property of a type. */
	private static final class Properties extends ReflectivePropertyAccessor {

		@Nullable Member find(Class<?> type, String name) {
			Method getter = findGetterForProperty(name, type, false);
			return (getter != null) ? getter : findField(name, type, false);
		}

	}

}
