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
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedBeanMethod;

/**
 * Warns of methods that call an annotated method of their own object, which goes past the
 * proxy and so runs without the lock. Found in the class files of those beans that have
 * annotated methods, once, when all singletons are there. A class file that cannot be
 * read is left out.
 * <p>
 * Meant for proxies: where the lock is woven into the classes such a call is fine.
 */
public final class SelfInvocationCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(SelfInvocationCheck.class);

	private final LockedBeanValidator validator;

	/**
	 * Creates a check.
	 * @param validator has found the annotated methods
	 */
	public SelfInvocationCheck(LockedBeanValidator validator) {
		this.validator = validator;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (!NativeDetector.inNativeImage()) {
			warnings(this.validator.places()).forEach(logger::warn);
		}
	}

	/** What to say, each thing once, whatever number of beans inherit it. */
	private static Set<String> warnings(Collection<LockedBeanMethod> places) {
		Set<String> warnings = new LinkedHashSet<>();
		places.stream()
			.collect(Collectors.groupingBy(LockedBeanMethod::type, LinkedHashMap::new, Collectors.toList()))
			.forEach((type, own) -> warnings.addAll(warnings(type, own)));
		return warnings;
	}

	static List<String> warnings(Class<?> type, List<LockedBeanMethod> places) {
		Set<Class<?>> hierarchy = hierarchy(type);
		Map<String, LockedBeanMethod> wanted = wanted(type, hierarchy, places);
		List<String> warnings = new ArrayList<>();
		for (SelfCall call : calls(type, hierarchy, wanted.keySet())) {
			LockedBeanMethod called = wanted.get(call.called());
			LockedBeanMethod caller = wanted.get(call.caller());
			if (called != null && !isCovered(called, caller, call)) {
				warnings.add(text(call, called));
			}
		}
		return warnings;
	}

	/** A method that calls itself goes on with its own work. */
	private static boolean isCovered(LockedBeanMethod called, @Nullable LockedBeanMethod caller, SelfCall call) {
		return caller != null && (called == caller || SameLock.isHeld(called, caller, call));
	}

	/** The class with all that it inherits from, but for what has no calls of ours. */
	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> hierarchy = new LinkedHashSet<>();
		for (Class<?> each = type; each != null && !isLibrary(each); each = each.getSuperclass()) {
			hierarchy.add(each);
		}
		ClassUtils.getAllInterfacesForClassAsSet(type)
			.stream()
			.filter((contract) -> !isLibrary(contract))
			.forEach(hierarchy::add);
		return hierarchy;
	}

	private static boolean isLibrary(Class<?> type) {
		return type.getName().startsWith("java.") || type.getName().startsWith("org.springframework.");
	}

	/** The annotated methods under all names and signatures that a caller may use. */
	private static Map<String, LockedBeanMethod> wanted(Class<?> type, Set<Class<?>> hierarchy,
			List<LockedBeanMethod> places) {
		Map<Method, LockedBeanMethod> byMethod = places.stream()
			.collect(Collectors.toMap((place) -> place.id().method(), (place) -> place, (first, second) -> first));
		Map<String, LockedBeanMethod> wanted = new HashMap<>();
		for (Class<?> each : hierarchy) {
			for (Method method : each.getDeclaredMethods()) {
				LockedBeanMethod place = byMethod.get(LockAnnotations.specific(method, type));
				if (place != null) {
					wanted.put(method.getName() + Type.getMethodDescriptor(method), place);
				}
			}
		}
		return wanted;
	}

	private static List<SelfCall> calls(Class<?> type, Set<Class<?>> hierarchy, Set<String> wanted) {
		Set<String> owners = hierarchy.stream().map(Type::getInternalName).collect(Collectors.toSet());
		Deque<String> unread = new ArrayDeque<>(hierarchy.stream().map(Type::getInternalName).toList());
		Set<String> read = new HashSet<>();
		List<SelfCall> calls = new ArrayList<>();
		while (!unread.isEmpty()) {
			String name = unread.remove();
			if (read.add(name)) {
				SelfCallReader reader = reader(name, type.getClassLoader(), owners, wanted);
				calls.addAll(reader.found());
				unread.addAll(reader.inside());
			}
		}
		return calls;
	}

	/**
	 * Again for as long as there are lambdas that were not known to be given the object.
	 */
	private static SelfCallReader reader(String name, ClassLoader loader, Set<String> owners, Set<String> wanted) {
		Map<String, Integer> lambdas = new HashMap<>();
		int known;
		SelfCallReader reader;
		do {
			known = lambdas.size();
			reader = new SelfCallReader(name, owners, wanted, lambdas);
			read(name, loader, reader);
		}
		while (lambdas.size() > known);
		return reader;
	}

	private static void read(String name, ClassLoader loader, SelfCallReader reader) {
		try (InputStream file = loader.getResourceAsStream(name + ClassUtils.CLASS_FILE_SUFFIX)) {
			if (file != null) {
				new ClassReader(file).accept(reader, ClassReader.SKIP_FRAMES);
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Class file of {} was not read, so calls within it are not known", name, ex);
		}
	}

	private static String text(SelfCall call, LockedBeanMethod called) {
		String lock = called.name().isEmpty() ? "without its lock" : "without lock '" + called.name() + "'";
		return call.writtenType() + ": " + call.writtenMethod() + " calls " + called.id().describe()
				+ " of its own object (" + call.place() + "), which goes past the proxy: it runs " + lock
				+ ". Move the called method to another bean, take the lock there with LockTemplate, or call it on the "
				+ "bean that ObjectProvider<" + ClassUtils.getShortName(called.id().method().getDeclaringClass())
				+ "> gives";
	}

}
