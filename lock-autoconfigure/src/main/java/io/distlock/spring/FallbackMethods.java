package io.distlock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.LockBusyException;
import io.distlock.LockException;

/** Finds the method that is called instead, and refuses what does not fit. */
final class FallbackMethods {

	private static final List<Class<?>> REASONS = List.of(LockException.class, LockBusyException.class);

	private final LockSite site;

	private final String name;

	private final Class<?> owner;

	private final List<Class<?>> parameters;

	FallbackMethods(LockSite site, String name, Class<?> targetClass) {
		this.site = site;
		this.name = name;
		this.owner = ClassUtils.getUserClass(targetClass);
		this.parameters = parameters(site.method());
	}

	Refusal find() {
		List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(this.owner))
			.filter((method) -> method.getName().equals(this.name) && !method.isBridge() && !isLockedMethod(method))
			.toList();
		List<Method> fitting = named.stream().filter(this::fits).toList();
		if (fitting.size() != 1) {
			throw this.site.invalid(whyNotOne(named, fitting),
					"Give " + ClassUtils.getShortName(this.owner) + " one method " + wanted());
		}
		Method found = fitting.get(0);
		check(found);
		return new FallbackRefusal(found, found.getParameterCount() > this.parameters.size());
	}

	/** Called instead of itself it would run without its lock. */
	private boolean isLockedMethod(Method method) {
		return this.name.equals(this.site.method().getName()) && parameters(method).equals(this.parameters);
	}

	private boolean fits(Method method) {
		List<Class<?>> own = parameters(method);
		int common = this.parameters.size();
		return own.equals(this.parameters) || (own.size() == common + 1
				&& own.subList(0, common).equals(this.parameters) && REASONS.contains(own.get(common)));
	}

	private List<Class<?>> parameters(Method method) {
		List<Class<?>> types = new ArrayList<>();
		for (int i = 0; i < method.getParameterCount(); i++) {
			types.add(ResolvableType.forMethodParameter(method, i, this.owner).resolve(method.getParameterTypes()[i]));
		}
		return types;
	}

	private String whyNotOne(List<Method> named, List<Method> fitting) {
		String what = "fallback '" + this.name + "' ";
		if (named.isEmpty()) {
			return what + "does not exist";
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
		return this.name + names(this.parameters) + " or " + this.name + names(withReason);
	}

	private static String names(List<Class<?>> types) {
		return types.stream().map(ClassUtils::getShortName).collect(Collectors.joining(", ", "(", ")"));
	}

	private void check(Method found) {
		if (Modifier.isStatic(found.getModifiers())) {
			throw this.site.invalid("fallback '" + this.name + "' is static", "Make it an instance method");
		}
		Class<?> result = result(this.site.method());
		Class<?> own = result(found);
		boolean same = (result == void.class) ? own == void.class : ClassUtils.isAssignable(result, own);
		if (!same) {
			throw this.site.invalid("fallback '" + this.name + "' returns " + ClassUtils.getShortName(own)
					+ ", but the method returns " + ClassUtils.getShortName(result), "Have both return the same type");
		}
	}

	private Class<?> result(Method method) {
		return ResolvableType.forMethodReturnType(method, this.owner).resolve(method.getReturnType());
	}

}
