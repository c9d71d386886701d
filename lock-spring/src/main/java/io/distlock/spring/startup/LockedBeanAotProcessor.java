package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockAttributes;

/**
 * Registers what a native image must contain for the annotated methods of an application:
 * members that key expressions may read, and fallback methods.
 */
final class LockedBeanAotProcessor implements BeanRegistrationAotProcessor {

	private static final Pattern BEAN = Pattern.compile("@(?:'(?<quoted>[^']+)'|(?<plain>\\w+))");

	@Override
	public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
		Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
		if (!LockAnnotations.isCandidate(type)) {
			return null;
		}
		MetadataLookup<LockAttributes> lookup = (method) -> LockAnnotations.find(method, type);
		Map<Method, LockAttributes> methods = MethodIntrospector.selectMethods(type, lookup);
		return methods.isEmpty() ? null
				: (generation, code) -> methods
					.forEach((method, attributes) -> register(generation.getRuntimeHints().reflection(),
							bean.getBeanFactory(), type, method, attributes));
	}

	private static void register(ReflectionHints hints, BeanFactory beans, Class<?> type, Method method,
			LockAttributes attributes) {
		hints.registerMethod(method, ExecutableMode.INVOKE);
		// The configuration at run time may name another fallback.
		ReflectionUtils.doWithMethods(type, (found) -> hints.registerMethod(found, ExecutableMode.INVOKE),
				(found) -> isFallback(found, method));
		Stream.concat(Stream.of(attributes.key(), attributes.condition()), attributes.keys().stream())
			.filter((key) -> !key.isEmpty())
			.forEach((key) -> registerKey(hints, beans, type, method, key));
	}

	/** Returns whether a method has as many parameters as a fallback. */
	private static boolean isFallback(Method found, Method locked) {
		int more = found.getParameterCount() - locked.getParameterCount();
		return Math.abs(more) <= 1 && found.getDeclaringClass() != Object.class
				&& !Modifier.isStatic(found.getModifiers()) && !found.isSynthetic();
	}

	/**
	 * Returns the types that a key may read. A generic superclass does not know which
	 * type its subclass has for a type variable.
	 */
	private static Type[] readable(Method method, int index, ResolvableType parameter) {
		return Stream
			.concat(Stream.of(method.getGenericParameterTypes()[index], parameter.resolve()),
					Arrays.stream(parameter.resolveGenerics()))
			.filter(Objects::nonNull)
			.toArray(Type[]::new);
	}

	/** Registers everything that a key may read: all public members that it can reach. */
	private static void registerKey(ReflectionHints hints, BeanFactory beans, Class<?> type, Method method,
			String key) {
		hints.registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS);
		for (int i = 0; i < method.getParameterCount(); i++) {
			ResolvableType parameter = ResolvableType.forMethodParameter(method, i, type);
			new BindingReflectionHintsRegistrar().registerReflectionHints(hints, readable(method, i, parameter));
			hints.registerType(parameter.resolve(method.getParameterTypes()[i]), MemberCategory.INVOKE_PUBLIC_METHODS);
		}
		Matcher bean = BEAN.matcher(key);
		while (bean.find()) {
			String name = (bean.group("plain") != null) ? bean.group("plain") : bean.group("quoted");
			Class<?> found = beans.containsBean(name) ? beans.getType(name) : null;
			if (found != null) {
				hints.registerType(ClassUtils.getUserClass(found), MemberCategory.INVOKE_PUBLIC_METHODS);
			}
		}
	}

}
