package io.distlock.spring;

import java.lang.reflect.Method;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;

/**
 * Refuses to start an application with an annotated method that would run without its
 * lock, or whose key or times cannot work. A bean is looked at before it is proxied, so
 * that the text is ours where the proxy creator would fail with its own, and when all
 * singletons are there, since only then it is known who was proxied. Beans not created at
 * startup are looked at by their type.
 */
public final class LockedBeanValidator implements BeanPostProcessor, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LockedBeanValidator.class);

	private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockedMethods methods;

	private final ProxyRules rules;

	/**
	 * Creates a validator.
	 * @param beanFactory whose beans to look at
	 * @param methods the annotated methods
	 */
	public LockedBeanValidator(ConfigurableListableBeanFactory beanFactory, LockedMethods methods) {
		this.beanFactory = beanFactory;
		this.methods = methods;
		this.rules = new ProxyRules(beanFactory);
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		checkDefinitions(ClassUtils.getUserClass(bean), beanName);
		return bean;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
			if (bean instanceof AopInfrastructureBean) {
				continue;
			}
			Class<?> type = (bean != null) ? AopProxyUtils.ultimateTargetClass(bean) : typeOf(beanName);
			if (type != null) {
				checkDefinitions(ClassUtils.getUserClass(type), beanName);
			}
			if (bean != null && type != null) {
				checkProxy(bean, type, beanName);
			}
		}
		warnOfUnknownOverrides();
		this.methods.checkFailureHandler();
	}

	private @Nullable Class<?> typeOf(String beanName) {
		try {
			return AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("Type of bean '{}' is not known before it is created", beanName, ex);
			return null;
		}
	}

	private void checkDefinitions(Class<?> type, String beanName) {
		if (!isCandidate(type) || !this.seen.add(type)) {
			return;
		}
		try {
			for (Method method : LockedMethods.withTokenButWithoutLock(type)) {
				throw new LockSite(method).invalid("a parameter is annotated with @FencingToken, but no lock applies",
						"Annotate the method with @DistributedLock, or pass the token from the method that is");
			}
			for (Method method : this.methods.on(type)) {
				this.rules.checkDeclaration(this.methods.get(method, type).site(), type);
			}
		}
		catch (InvalidLockDefinitionException ex) {
			throw ex.inBean(beanName);
		}
	}

	private void checkProxy(Object bean, Class<?> type, String beanName) {
		if (!isCandidate(type)) {
			return;
		}
		try {
			for (Method method : this.methods.on(type)) {
				this.rules.checkProxy(new LockSite(method), bean, type);
			}
		}
		catch (InvalidLockDefinitionException ex) {
			throw ex.inBean(beanName);
		}
	}

	private static boolean isCandidate(Class<?> type) {
		return !type.getName().startsWith("org.springframework.")
				&& AnnotationUtils.isCandidateClass(type, DistributedLock.class);
	}

	private void warnOfUnknownOverrides() {
		SortedSet<String> names = this.methods.names();
		for (String name : this.methods.overriddenNames()) {
			if (!names.contains(name)) {
				logger.warn("distributed-lock.locks.{} has no effect: no @DistributedLock has this name. Names are: {}",
						name, names);
			}
		}
	}

}
