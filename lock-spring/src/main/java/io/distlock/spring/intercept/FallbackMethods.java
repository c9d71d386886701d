package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.LockBusyException;
import io.distlock.LockException;
import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.KotlinMethods;
import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.support.NearestName;

/** Finds the fallback method, and refuses a method that does not fit. */
final class FallbackMethods {

	private static final List<Class<?>> REASONS = List.of(LockException.class, LockBusyException.class);

	private final LockedMethodId id;

	private final String name;

	private final Class<?> owner;

	private final List<Class<?>> parameters;

	FallbackMethods(LockedMethodId id, String name, Class<?> targetClass) {
		this.id = id;
		this.name = name;
		this.owner = ClassUtils.getUserClass(targetClass);
		this.parameters = parameters(id.method());
	}

	NoLockPolicy find() {
		List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(this.owner))
			.filter((method) -> method.getName().equals(this.name) && !method.isBridge() && !isLockedMethod(method))
			.toList();
		List<Method> fitting = withoutOverridden(named.stream().filter(this::fits).toList());
		if (fitting.size() != 1) {
			throw this.id.invalid(whyNotOne(named, fitting),
					meant(named) + "Give " + ClassUtils.getShortName(this.owner) + " one method " + wanted());
		}
		Method found = fitting.get(0);
		check(found);
		return new FallbackPolicy(found, this.parameters.size(), parameters(found).size() > this.parameters.size());
	}

	/**
	 * Keeps the method of the most derived class among methods with the same resolved
	 * parameters.
	 */
	private List<Method> withoutOverridden(List<Method> fitting) {
		Map<List<Class<?>>, Method> lowest = new LinkedHashMap<>();
		fitting.forEach((method) -> lowest.putIfAbsent(parameters(method), method));
		return List.copyOf(lowest.values());
	}

	/**
	 * Returns whether a fallback is the locked method itself, which would run without its
	 * lock.
	 */
	private boolean isLockedMethod(Method method) {
		return this.name.equals(this.id.method().getName()) && parameters(method).equals(this.parameters);
	}

	private boolean fits(Method method) {
		List<Class<?>> own = parameters(method);
		int common = this.parameters.size();
		return own.equals(this.parameters) || (own.size() == common + 1
				&& own.subList(0, common).equals(this.parameters) && REASONS.contains(own.get(common)));
	}

	private List<Class<?>> parameters(Method method) {
		List<Class<?>> types = new ArrayList<>();
		boolean suspended = KotlinMethods.isSuspend(method) && KotlinMethods.isSuspend(this.id.method());
		int count = method.getParameterCount() - (suspended ? 1 : 0);
		for (int i = 0; i < count; i++) {
			types.add(ResolvableType.forMethodParameter(method, i, this.owner).resolve(method.getParameterTypes()[i]));
		}
		return types;
	}

	/** Returns the name of another method that may be meant, if there is none of this. */
	private String meant(List<Method> named) {
		List<String> others = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(this.owner))
			.map(Method::getName)
			.filter((other) -> !other.equals(this.id.method().getName()))
			.toList();
		return named.isEmpty()
				? NearestName.of(this.name, others).map((near) -> "Did you mean " + near + "? ").orElse("") : "";
	}

	private String whyNotOne(List<Method> named, List<Method> fitting) {
		String what = "fallback '" + this.name + "' ";
		if (named.isEmpty()) {
			return what + (this.name.equals(this.id.method().getName()) ? "is the method itself" : "does not exist");
		}
		return what + (fitting.isEmpty() ? "has other parameters: " + list(named) : "is ambiguous: " + list(fitting));
	}

	private String list(List<Method> methods) {
		return methods.stream()
			.map((method) -> this.name + names(parameters(method)))
			.sorted()
			.collect(Collectors.joining(", "));
	}

	private String wanted() {
		List<Class<?>> withReason = new ArrayList<>(this.parameters);
		withReason.add(LockBusyException.class);
		String alone = this.name.equals(this.id.method().getName()) ? "" : this.name + names(this.parameters) + " or ";
		return alone + this.name + names(withReason);
	}

	private static String names(List<Class<?>> types) {
		return types.stream().map(ClassUtils::getShortName).collect(Collectors.joining(", ", "(", ")"));
	}

	private void check(Method found) {
		if (Modifier.isStatic(found.getModifiers())) {
			throw this.id.invalid("fallback '" + this.name + "' is static", "Make it an instance method");
		}
		if (LockAnnotations.find(found, this.owner) != null) {
			throw this.id.invalid("fallback '" + this.name + "' is locked itself, but would be called without its lock",
					isAnnotated(found)
							? "Remove its annotation, and take a lock in its body with LockTemplate if it needs one"
							: "It is by the annotation of its class, which does not count for methods that are not "
									+ "public: make it private");
		}
		Class<?> result = KotlinMethods.resultClass(this.id.method(), this.owner);
		Class<?> own = KotlinMethods.resultClass(found, this.owner);
		boolean same = (result == void.class) ? own == void.class : ClassUtils.isAssignable(result, own);
		if (!same) {
			throw otherResult(ClassUtils.getShortName(own), ClassUtils.getShortName(result));
		}
		checkElements(ResolvableType.forMethodReturnType(found, this.owner),
				ResolvableType.forMethodReturnType(this.id.method(), this.owner));
	}

	private static boolean isAnnotated(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, DistributedLock.class)
				|| AnnotatedElementUtils.hasAnnotation(method, DistributedSemaphore.class);
	}

	/** Compares the type arguments if both types have them. */
	private void checkElements(ResolvableType own, ResolvableType result) {
		if (own.hasGenerics() && result.hasGenerics() && !own.hasUnresolvableGenerics()
				&& !result.hasUnresolvableGenerics() && !result.isAssignableFrom(own)) {
			throw otherResult(describe(own), describe(result));
		}
	}

	private static String describe(ResolvableType type) {
		return type.toString().replaceAll("\\b[a-z]\\w*\\.", "").replace('$', '.');
	}

	private InvalidLockDefinitionException otherResult(String own, String result) {
		return this.id.invalid("fallback '" + this.name + "' returns " + own + ", but the method returns " + result,
				"Have both return the same type");
	}

}
