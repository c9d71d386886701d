package io.distlock.spring.startup;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
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
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.NativeDetector;
import org.springframework.util.ClassUtils;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.SelfInvocation;
import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.startup.SelfCallReader.SelfCall;

/**
 * Warns of each call of an annotated method within its own object, which bypasses the
 * proxy and so runs without the lock, or refuses the start because of it. It reads the
 * class files of beans with annotated methods once, when all singletons exist, and skips
 * unreadable class files. The check serves proxies only, because woven methods are locked
 * for every caller.
 * <p>
 * It finds calls in methods, constructors, lambdas, method references and inner classes,
 * also in inherited code, and in Kotlin functions with default arguments. It omits a
 * method that calls itself, and a call between two methods with the same lock name and no
 * key. It does not compare the values of keys, so it warns of a call with the same key.
 * It takes a call on a parameter, a field or a result for a call on another object. It
 * cannot see calls by reflection, and none in a native image, which has no class files.
 */
final class SelfInvocationCheck {

	private static final Logger logger = LoggerFactory.getLogger(SelfInvocationCheck.class);

	private final boolean enabled;

	private final SelfInvocation reaction;

	/**
	 * Creates a check.
	 * @param settings whether calls pass through proxies, and what to do about those that
	 * do not
	 */
	SelfInvocationCheck(AnnotationSettings settings) {
		this.enabled = settings.mode() == AdviceMode.PROXY;
		this.reaction = settings.selfInvocation();
	}

	void run(List<LockedBeanMethod> places) {
		boolean fails = this.reaction == SelfInvocation.FAIL;
		if (!this.enabled || NativeDetector.inNativeImage() || !(fails || logger.isWarnEnabled())) {
			return;
		}
		List<Bypass> found = places.stream()
			.collect(Collectors.groupingBy(LockedBeanMethod::type, LinkedHashMap::new, Collectors.toList()))
			.entrySet()
			.stream()
			.flatMap((bean) -> bypasses(bean.getKey(), bean.getValue()).stream())
			.toList();
		if (!fails) {
			found.stream().map(Bypass::warning).distinct().forEach(logger::warn);
		}
		else if (!found.isEmpty()) {
			throw InvalidLockDefinitionException.of(found.stream().map(Bypass::refusal).toList());
		}
	}

	static Set<String> warnings(Class<?> type, Collection<LockedBeanMethod> own) {
		return bypasses(type, own).stream().map(Bypass::warning).collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static Set<Bypass> bypasses(Class<?> type, Collection<LockedBeanMethod> own) {
		Set<Class<?>> hierarchy = hierarchy(type);
		Set<String> names = own.stream().map((method) -> method.id().method().getName()).collect(Collectors.toSet());
		Map<String, LockedBeanMethod> locked = locked(type, hierarchy, own);
		Set<String> owners = hierarchy.stream().map(Type::getInternalName).collect(Collectors.toSet());
		Deque<String> unread = new ArrayDeque<>(owners);
		owners.add(Type.getInternalName(Object.class));
		Set<Bypass> found = new LinkedHashSet<>();
		while (!unread.isEmpty()) {
			SelfCallReader reader = read(unread.remove(), type.getClassLoader(), owners, names);
			unread.addAll(reader.inner);
			for (SelfCall call : reader.calls) {
				LockedBeanMethod called = locked.get(call.called());
				if (called != null && !isCovered(called, locked.get(call.caller()))) {
					found.add(new Bypass(called, reason(call, called)));
				}
			}
		}
		return found;
	}

	/** Returns whether the caller holds the same lock, whatever the arguments are. */
	private static boolean isCovered(LockedBeanMethod called, @Nullable LockedBeanMethod caller) {
		return caller != null && (called == caller || (caller.name().equals(called.name()) && !called.hasKey()
				&& !caller.hasKey() && caller.attributes().mode() == called.attributes().mode()));
	}

	private static Set<Class<?>> hierarchy(Class<?> type) {
		Set<Class<?>> hierarchy = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
		for (Class<?> each = type; each != null; each = each.getSuperclass()) {
			hierarchy.add(each);
		}
		hierarchy.removeIf((each) -> each.getName().startsWith("java."));
		return hierarchy;
	}

	/**
	 * Returns the annotated methods by all names and descriptors that a caller may use.
	 */
	private static Map<String, LockedBeanMethod> locked(Class<?> type, Set<Class<?>> hierarchy,
			Collection<LockedBeanMethod> own) {
		Map<String, LockedBeanMethod> locked = new HashMap<>();
		for (Class<?> each : hierarchy) {
			for (Method method : each.getDeclaredMethods()) {
				for (LockedBeanMethod candidate : own) {
					Method found = candidate.id().method();
					if (found.getName().equals(method.getName())
							&& found.equals(LockAnnotations.specific(method, type))) {
						locked.put(method.getName() + Type.getMethodDescriptor(method), candidate);
					}
				}
			}
		}
		return locked;
	}

	/**
	 * Reads a class. It reads the code only if the class mentions one of the methods, and
	 * few classes do.
	 */
	private static SelfCallReader read(String name, ClassLoader loader, Set<String> owners, Set<String> names) {
		SelfCallReader reader = new SelfCallReader(name, owners);
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
		return reader;
	}

	private static String reason(SelfCall call, LockedBeanMethod called) {
		String type = call.type().substring(call.type().lastIndexOf('/') + 1).replace('$', '.');
		String method = call.method().equals("<init>") ? "its constructor"
				: call.method().replaceAll("^lambda\\$|(\\$lambda)?(\\$\\d+)+$|\\$suspendImpl$", "") + "()";
		String lock = called.name().isEmpty() ? "without its lock" : "without lock '" + called.name() + "'";
		return type + ": " + method + " calls " + called.id().describe() + " of its own object (" + call.place()
				+ "), which bypasses the proxy: it runs " + lock;
	}

	/**
	 * A call that takes no lock.
	 *
	 * @param called the annotated method
	 * @param reason where the call is
	 */
	private record Bypass(LockedBeanMethod called, String reason) {

		String warning() {
			return this.reason + ". " + fix()
					+ ". With Spring Boot, distributed-lock.self-invocation=fail refuses the start instead";
		}

		InvalidLockDefinitionException refusal() {
			return this.called.id().invalid(this.reason, fix()).inBean(this.called.bean());
		}

		private String fix() {
			return "Move the called method to another bean, take the lock there with LockTemplate, or call it on the "
					+ "bean that ObjectProvider<"
					+ ClassUtils.getShortName(this.called.id().method().getDeclaringClass()) + "> returns";
		}

	}

}
