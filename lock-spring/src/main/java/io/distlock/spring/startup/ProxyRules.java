package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.ProxyProcessorSupport;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;

import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.spring.intercept.LockInterceptor;

/** Refuses methods that a proxy cannot intercept. */
final class ProxyRules implements InterceptionRules {

	private static final String BY_HAND = "or take the lock in its body with LockTemplate";

	private final BeanFactory beanFactory;

	private final AsyncOrder async;

	ProxyRules(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
		this.async = new AsyncOrder(beanFactory);
	}

	@Override
	public void checkDeclaration(LockedMethodId id, Class<?> type) {
		int modifiers = id.method().getModifiers();
		if (Modifier.isStatic(modifiers)) {
			throw id.invalid("the method is static, so no proxy sees the call",
					"Make it an instance method, " + BY_HAND);
		}
		if (Modifier.isPrivate(modifiers)) {
			throw id.invalid("the method is private, so no proxy sees the call", "Make it public, " + BY_HAND);
		}
		if (!usesClassProxy(type)) {
			return;
		}
		if (Modifier.isFinal(type.getModifiers())) {
			throw id.invalid("the class " + ClassUtils.getShortName(type) + " is final, so it cannot be proxied",
					(type.isRecord() ? "Make it a class" : "Remove 'final' (in Kotlin: make it 'open')") + ", "
							+ BY_HAND);
		}
		checkOverridable(id, type);
	}

	@Override
	public void checkCallbacks(LockedMethodId id, LifecycleCallbacks callbacks) {
		callbacks.check(id);
	}

	@Override
	public void checkProxy(LockedMethodId id, Object bean, Class<?> type, BeanOrigin origin) {
		if (!isAdvised(bean)) {
			throw id.invalid(origin.withoutProxy(), origin.fix());
		}
		// Spring may create a class proxy for one bean and interface proxies for others.
		if (AopUtils.isCglibProxy(bean)) {
			checkOverridable(id, type);
		}
		this.async.check(id, bean, type);
		if (AopUtils.isJdkDynamicProxy(bean) && !isOnInterface(id.method(), bean, type)) {
			throw id.invalid(
					"the bean's proxy has only the methods of "
							+ Arrays.stream(AopProxyUtils.proxiedUserInterfaces(bean))
								.map(ClassUtils::getShortName)
								.collect(Collectors.joining(", "))
							+ ", and this is none of them",
					"Declare it on the interface, or set spring.aop.proxy-target-class=true");
		}
	}

	private static void checkOverridable(LockedMethodId id, Class<?> type) {
		Method method = id.method();
		if (Modifier.isFinal(method.getModifiers())) {
			throw id.invalid("the method is final, so a proxy cannot override it",
					"Remove 'final' (in Kotlin: make it 'open'), " + BY_HAND);
		}
		if (isHiddenFrom(type, method)) {
			throw id.invalid(
					"the method is package-private, but the bean's class is of another package or class loader, so a "
							+ "proxy cannot override it",
					"Make it protected or public, " + BY_HAND);
		}
	}

	/**
	 * Returns whether a proxy cannot see a method. The proxy is in the package of the
	 * bean's class.
	 */
	private static boolean isHiddenFrom(Class<?> type, Method method) {
		int shared = Modifier.PUBLIC | Modifier.PROTECTED | Modifier.PRIVATE;
		Class<?> declaring = method.getDeclaringClass();
		return (method.getModifiers() & shared) == 0 && (declaring.getClassLoader() != type.getClassLoader()
				|| !declaring.getPackageName().equals(type.getPackageName()));
	}

	private boolean usesClassProxy(Class<?> type) {
		return !LockAnnotations.isGenerated(type) && (isProxyTargetClass() || InterfaceSearch.findsNone(type));
	}

	private boolean isProxyTargetClass() {
		String name = AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME;
		return !this.beanFactory.containsBean(name) || !(this.beanFactory.getBean(name) instanceof ProxyConfig config)
				|| config.isProxyTargetClass();
	}

	/**
	 * Returns whether a bean has the advice. A proxy may be wrapped in another, for
	 * instance for a bean of a factory.
	 */
	private static boolean isAdvised(@Nullable Object bean) {
		return LockInterceptor.isOn(bean)
				|| (bean instanceof Advised && isAdvised(AopProxyUtils.getSingletonTarget(bean)));
	}

	private static boolean isOnInterface(Method method, Object bean, Class<?> type) {
		return Arrays.stream(AopProxyUtils.proxiedUserInterfaces(bean))
			.flatMap((contract) -> Arrays.stream(contract.getMethods()))
			.anyMatch((declared) -> LockAnnotations.specific(declared, type).equals(method));
	}

	/**
	 * Searches for interfaces like Spring, which ignores interfaces such as
	 * {@code InitializingBean}.
	 */
	private static final class InterfaceSearch extends ProxyProcessorSupport {

		static boolean findsNone(Class<?> type) {
			ProxyFactory factory = new ProxyFactory();
			InterfaceSearch search = new InterfaceSearch();
			search.setProxyClassLoader(type.getClassLoader());
			search.evaluateProxyInterfaces(type, factory);
			return factory.isProxyTargetClass();
		}

	}

}
