package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Refuses annotated methods that Spring calls on the object of a bean itself, and not on
 * its proxy: while it makes the bean, and when it destroys it.
 */
final class LifecycleCallbacks {

	private static final String AT_START = "Do the work in an ApplicationRunner or a listener of ApplicationReadyEvent, "
			+ "or take the lock in its body with LockTemplate";

	private static final String AT_END = "Do the work in a listener of ContextClosedEvent";

	private static final String OF_CLASS = ". If the annotation is on the class, put it on the methods that need the lock";

	private static final Set<String> PACKAGES = Set.of("jakarta.annotation", "javax.annotation", "jakarta.inject",
			"javax.inject");

	private final AbstractBeanDefinition definition;

	private final Class<?> type;

	/**
	 * Creates a check.
	 * @param definition how Spring makes and destroys the bean
	 * @param type the class of the bean
	 */
	LifecycleCallbacks(AbstractBeanDefinition definition, Class<?> type) {
		this.definition = definition;
		this.type = type;
	}

	/**
	 * Checks a method.
	 * @param id the annotated method
	 * @throws io.distlock.spring.InvalidLockDefinitionException if Spring calls the
	 * method itself
	 */
	void check(LockedMethodId id) {
		Method method = id.method();
		String atStart = atStart(method);
		if (atStart != null) {
			throw id.invalid(
					atStart + " is called by Spring before the bean has its proxy, so it would run without the lock",
					AT_START + OF_CLASS);
		}
		String atEnd = atEnd(method);
		if (atEnd != null) {
			throw id.invalid(
					atEnd + " is called by Spring on the object behind the proxy, so it would run without the lock",
					AT_END + OF_CLASS);
		}
	}

	private @Nullable String atStart(Method method) {
		if (has(method, "PostConstruct")) {
			return "a @PostConstruct method";
		}
		if (isNamed(this.definition.getInitMethodNames(), method)) {
			return "the initMethod of a bean";
		}
		if (isOf(InitializingBean.class, "afterPropertiesSet", method)) {
			return "afterPropertiesSet()";
		}
		// An annotation on the class does not mean these methods.
		if (!isAnnotated(method)) {
			return null;
		}
		if (AnnotatedElementUtils.hasAnnotation(method, Autowired.class) || has(method, "Inject")
				|| has(method, "Resource")) {
			return "an @Autowired method";
		}
		return isOfAware(method) ? "a method of an Aware interface" : null;
	}

	private @Nullable String atEnd(Method method) {
		if (this.definition.isPrototype()) {
			return null;
		}
		if (has(method, "PreDestroy")) {
			return "a @PreDestroy method";
		}
		if (isOf(DisposableBean.class, "destroy", method)) {
			return "destroy()";
		}
		return isDestroyMethod(method) ? "the destroyMethod of a bean" : null;
	}

	/**
	 * Returns whether Spring finds a method as the end of a bean, or is told its name.
	 */
	private boolean isDestroyMethod(Method method) {
		String[] names = this.definition.getDestroyMethodNames();
		if (isNamed(names, method)) {
			return true;
		}
		boolean inferred = names != null && Arrays.asList(names).contains(AbstractBeanDefinition.INFER_METHOD);
		boolean closeable = names == null && AutoCloseable.class.isAssignableFrom(this.type);
		if (DisposableBean.class.isAssignableFrom(this.type) || method.getParameterCount() > 0
				|| !(inferred || closeable)) {
			return false;
		}
		return method.getName().equals("close")
				|| (inferred && method.getName().equals("shutdown") && !ClassUtils.hasMethod(this.type, "close"));
	}

	/** Spring calls a method of this name even if its annotation is on a supertype. */
	private static boolean has(Method method, String annotation) {
		MergedAnnotations found = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
		return found.stream()
			.anyMatch((each) -> each.getType().getSimpleName().equals(annotation)
					&& PACKAGES.contains(each.getType().getPackageName()));
	}

	private static boolean isNamed(String @Nullable [] names, Method method) {
		return method.getParameterCount() == 0 && ObjectUtils.containsElement(names, method.getName());
	}

	private static boolean isAnnotated(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, DistributedLock.class)
				|| AnnotatedElementUtils.hasAnnotation(method, DistributedSemaphore.class);
	}

	private boolean isOf(Class<?> callback, String name, Method method) {
		return callback.isAssignableFrom(this.type) && isNamed(new String[] { name }, method);
	}

	private boolean isOfAware(Method method) {
		return ClassUtils.getAllInterfacesForClassAsSet(this.type)
			.stream()
			.filter((contract) -> Arrays.asList(contract.getInterfaces()).contains(Aware.class))
			.anyMatch((contract) -> ClassUtils.hasMethod(contract, method.getName(), method.getParameterTypes()));
	}

}
