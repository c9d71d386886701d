package io.distlock.spring.startup;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

import io.distlock.spring.definition.KotlinMethods;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Refuses methods that were not woven. It checks the loaded classes, so every way of
 * weaving is valid.
 */
final class WeavingRules implements InterceptionRules {

	private static final String ASPECT = "io.distlock.aspectj.DistributedLockAspect";

	private static final String JOIN_POINT = "org.aspectj.lang.JoinPoint";

	private final AsyncOrder async;

	WeavingRules(BeanFactory beanFactory) {
		this.async = new AsyncOrder(beanFactory);
	}

	@Override
	public void checkDeclaration(LockedMethodId id, Class<?> type) {
		Method method = id.method();
		if (Modifier.isStatic(method.getModifiers())) {
			throw id.invalid("the method is static, so there is no bean whose application could lock it",
					"Make it an instance method, or take the lock in its body with LockTemplate");
		}
		if (KotlinMethods.isSuspend(method)) {
			throw id.invalid("it is a Kotlin suspend function, whose end woven code does not see",
					"Leave distributed-lock.advice-mode at 'proxy'");
		}
		if (!ClassUtils.isPresent(ASPECT, type.getClassLoader())) {
			throw id.invalid("distributed-lock.advice-mode is 'aspectj', but the aspect is not on the class path",
					"Add the dependency io.distlock:lock-aspectj");
		}
		if (!isWoven(method)) {
			throw id.invalid("distributed-lock.advice-mode is 'aspectj', but the method was not woven",
					"Start the JVM with -javaagent:aspectjweaver.jar or weave at compile time; the annotation must be on "
							+ "the method or class itself, not on an interface or a superclass's method");
		}
	}

	@Override
	public void checkCallbacks(LockedMethodId id, LifecycleCallbacks callbacks) {
		// Spring calls the woven method, which takes its lock.
	}

	@Override
	public void checkProxy(LockedMethodId id, Object bean, Class<?> type, BeanOrigin origin) {
		// The woven method locks if the proxy does not, but never outside of the proxy.
		this.async.check(id, bean, type);
	}

	/**
	 * Returns whether a method was woven. Around advice moves the body to a static
	 * method, but another aspect may have done so.
	 */
	private static boolean isWoven(Method method) {
		String body = method.getName() + "_aroundBody";
		Class<?> owner = method.getDeclaringClass();
		if (Arrays.stream(owner.getDeclaredMethods())
			.noneMatch((candidate) -> candidate.getName().startsWith(body) && isBodyOf(method, candidate))) {
			return false;
		}
		String file = classFile(owner);
		return file.contains(ASPECT.replace('.', '/')) || !file.contains(body);
	}

	private static boolean isBodyOf(Method method, Method candidate) {
		Class<?>[] parameters = candidate.getParameterTypes();
		Stream<String> expected = Stream
			.of(Stream.of(method.getDeclaringClass()), Arrays.stream(method.getParameterTypes()))
			.flatMap((types) -> types)
			.map(Class::getName);
		return Stream.concat(expected, Stream.of(JOIN_POINT))
			.toList()
			.equals(Arrays.stream(parameters).map(Class::getName).toList());
	}

	/**
	 * Returns the class as compiled. After weaving at load time it differs from the
	 * loaded class. Load-time weaving includes the aspect, because the aspect's jar
	 * declares it.
	 */
	private static String classFile(Class<?> type) {
		try (InputStream in = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
			return (in != null) ? new String(in.readAllBytes(), StandardCharsets.ISO_8859_1) : "";
		}
		catch (IOException ex) {
			return "";
		}
	}

}
