package io.distlock.spring.startup;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.asm.ClassReader;
import org.springframework.asm.Type;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.startup.SelfCallReader.SelfCall;

/**
 * Logs a warning for each call of an annotated method within its own object, which
 * bypasses the proxy and so runs without the lock. Reads the class files of beans with
 * annotated methods once, when all singletons exist; class files that cannot be read are
 * skipped. Meant for proxies: woven methods are locked for every caller.
 */
public final class SelfInvocationCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(SelfInvocationCheck.class);

	private final LockedBeanValidator validator;

	private final boolean enabled;

	/**
	 * Creates a check.
	 * @param validator has found the annotated methods
	 * @param settings whether to check, and whether calls pass through proxies
	 */
	public SelfInvocationCheck(LockedBeanValidator validator, AnnotationSettings settings) {
		this.validator = validator;
		this.enabled = settings.selfInvocationCheck() && settings.mode() == AdviceMode.PROXY;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.enabled && !NativeDetector.inNativeImage()) {
			Set<String> warnings = new LinkedHashSet<>();
			this.validator.places()
				.stream()
				.collect(Collectors.groupingBy(LockedBeanMethod::type, LinkedHashMap::new, Collectors.toList()))
				.forEach((type, own) -> warnings.addAll(warnings(type, own)));
			warnings.forEach(logger::warn);
		}
	}

	static List<String> warnings(Class<?> type, Collection<LockedBeanMethod> own) {
		Set<Class<?>> hierarchy = hierarchy(type);
		Set<String> names = own.stream().map((method) -> method.id().method().getName()).collect(Collectors.toSet());
		Map<String, LockedBeanMethod> locked = locked(type, hierarchy, own, names);
		List<String> warnings = new ArrayList<>();
		for (SelfCall call : calls(type, hierarchy, names)) {
			LockedBeanMethod called = locked.get(call.called());
			if (called != null && !isCovered(called, locked.get(call.caller()))) {
				warnings.add(text(call, called));
			}
		}
		return warnings;
	}

	/**
	 * A method that calls itself goes on with its own work, and a lock without a key is
	 * the same one. Whether two calls have the same key is not known here.
	 */
	private static boolean isCovered(LockedBeanMethod called, @Nullable LockedBeanMethod caller) {
		return caller != null && (called == caller || (caller.name().equals(called.name()) && !called.hasKey()
				&& !caller.hasKey() && caller.attributes().mode() == called.attributes().mode()));
	}

	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> hierarchy = new LinkedHashSet<>();
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			hierarchy.add(each);
		}
		hierarchy.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
		hierarchy.removeIf(
				(each) -> each.getName().startsWith("java.") || each.getName().startsWith("org.springframework."));
		return hierarchy;
	}

	/** The annotated methods by all names and descriptors that a caller may use. */
	private static Map<String, LockedBeanMethod> locked(Class<?> type, Set<Class<?>> hierarchy,
			Collection<LockedBeanMethod> own, Set<String> names) {
		Map<String, LockedBeanMethod> locked = new HashMap<>();
		for (Class<?> each : hierarchy) {
			for (Method method : each.getDeclaredMethods()) {
				if (!names.contains(method.getName())) {
					continue;
				}
				Method specific = LockAnnotations.specific(method, type);
				own.stream()
					.filter((candidate) -> candidate.id().method().equals(specific))
					.forEach((found) -> locked.put(method.getName() + Type.getMethodDescriptor(method), found));
			}
		}
		return locked;
	}

	private static Set<SelfCall> calls(Class<?> type, Set<Class<?>> hierarchy, Set<String> names) {
		Set<String> owners = hierarchy.stream().map(Type::getInternalName).collect(Collectors.toSet());
		owners.add(Type.getInternalName(Object.class));
		Deque<String> unread = new ArrayDeque<>(hierarchy.stream().map(Type::getInternalName).toList());
		Set<String> read = new HashSet<>();
		Set<SelfCall> calls = new LinkedHashSet<>();
		while (!unread.isEmpty()) {
			String name = unread.remove();
			if (read.add(name)) {
				SelfCallReader reader = new SelfCallReader(name, owners);
				read(name, type.getClassLoader(), reader, names);
				calls.addAll(reader.found());
				unread.addAll(reader.inner());
			}
		}
		return calls;
	}

	/** Reads the code only of a class that mentions one of the methods. */
	private static void read(String name, ClassLoader loader, SelfCallReader reader, Set<String> names) {
		try (InputStream file = loader.getResourceAsStream(name + ClassUtils.CLASS_FILE_SUFFIX)) {
			if (file != null) {
				ClassReader code = new ClassReader(file);
				code.accept(reader, SelfCallReader.mentions(code, names) ? ClassReader.SKIP_FRAMES
						: ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Could not read the class file of {}; its calls are not checked", name, ex);
		}
	}

	private static String text(SelfCall call, LockedBeanMethod called) {
		String type = call.type().substring(call.type().lastIndexOf('/') + 1).replace('$', '.');
		String method = call.method().equals("<init>") ? "its constructor"
				: call.method().replaceAll("^lambda\\$|(\\$lambda)?(\\$\\d+)+$", "") + "()";
		String lock = called.name().isEmpty() ? "without its lock" : "without lock '" + called.name() + "'";
		return type + ": " + method + " calls " + called.id().describe() + " of its own object (" + call.place()
				+ "), which bypasses the proxy: it runs " + lock
				+ ". Move the called method to another bean, take the lock there with LockTemplate, or call it on the "
				+ "bean that ObjectProvider<" + ClassUtils.getShortName(called.id().method().getDeclaringClass())
				+ "> returns";
	}

}
