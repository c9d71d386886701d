package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.util.ClassUtils;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockAnnotations;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.definition.LockedMethod;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.intercept.Invokers;

/**
 * Refuses to start an application with an annotated method that would run without its
 * lock, or whose key or times cannot work. It checks a bean before the proxy is created,
 * so that the error has a text of this library, and not of the proxy creator. It checks
 * the bean again when all singletons exist, because only then all proxies are known. It
 * checks beans that are not created at startup by their type. It checks beans of a
 * factory, and beans that are not singletons, again when the first of them has its proxy.
 */
final class LockedBeanValidator implements BeanPostProcessor, SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(LockedBeanValidator.class);

	private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

	private final Set<String> madeLater = ConcurrentHashMap.newKeySet();

	private final Queue<LockedBeanMethod> places = new ConcurrentLinkedQueue<>();

	private final ConfigurableListableBeanFactory beanFactory;

	private final Invokers invokers;

	private final LockedMethods methods;

	private final InterceptionRules rules;

	/**
	 * Creates a validator.
	 * @param beanFactory has the beans to check
	 * @param invokers run the annotated methods
	 * @param mode what must intercept the calls of these methods
	 */
	LockedBeanValidator(ConfigurableListableBeanFactory beanFactory, Invokers invokers, AdviceMode mode) {
		this.beanFactory = beanFactory;
		this.invokers = invokers;
		this.methods = invokers.methods();
		this.rules = (mode == AdviceMode.ASPECTJ) ? new WeavingRules(beanFactory) : new ProxyRules(beanFactory);
	}

	/**
	 * Returns the annotated methods found so far. After the creation of all singletons,
	 * these are all methods.
	 */
	List<LockedBeanMethod> places() {
		return List.copyOf(this.places);
	}

	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		List<InvalidLockDefinitionException> found = definitions(ClassUtils.getUserClass(bean), beanName);
		if (!found.isEmpty()) {
			// The start has failed. The same list reports faults at other beans.
			List<InvalidLockDefinitionException> all = new ArrayList<>(found);
			for (String other : this.beanFactory.getBeanDefinitionNames()) {
				Class<?> type = typeOf(other);
				all.addAll((type != null) ? definitions(ClassUtils.getUserClass(type), other) : List.of());
			}
			all.addAll(IdentityCheck.check(this.places));
			throw InvalidLockDefinitionException.of(all);
		}
		return bean;
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!this.madeLater.contains(beanName) && isMadeLater(bean, beanName)) {
			Class<?> type = typeOf(bean, beanName);
			List<InvalidLockDefinitionException> found = new ArrayList<>(definitions(type, beanName));
			found.addAll(proxies(bean, type, beanName));
			if (!found.isEmpty()) {
				throw InvalidLockDefinitionException.of(found);
			}
			this.madeLater.add(beanName);
		}
		return bean;
	}

	/**
	 * Returns whether the check at the end of the startup misses a bean, because the bean
	 * is not the singleton of its name. Such a bean already has its proxies. A singleton
	 * that another bean needs early may get its proxies later.
	 */
	private boolean isMadeLater(Object bean, String beanName) {
		return !(bean instanceof FactoryBean) && !(bean instanceof AopInfrastructureBean)
				&& this.beanFactory.containsBeanDefinition(beanName) && (this.beanFactory.isFactoryBean(beanName)
						|| !this.beanFactory.getMergedBeanDefinition(beanName).isSingleton());
	}

	/** Returns the type with the annotation. The product of a factory may be a proxy. */
	private Class<?> typeOf(Object bean, String beanName) {
		Class<?> own = ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean));
		Class<?> declared = typeOf(beanName);
		boolean says = !Proxy.isProxyClass(own) && LockAnnotations.isCandidate(own) && !this.methods.on(own).isEmpty();
		return (says || declared == null) ? own : ClassUtils.getUserClass(declared);
	}

	@Override
	public void afterSingletonsInstantiated() {
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
			if (bean instanceof AopInfrastructureBean) {
				continue;
			}
			if (bean instanceof FactoryBean) {
				found.addAll(products(beanName));
			}
			Class<?> type = (bean != null) ? AopProxyUtils.ultimateTargetClass(bean) : typeOf(beanName);
			if (type != null) {
				found.addAll(definitions(ClassUtils.getUserClass(type), beanName));
			}
			if (bean != null && type != null) {
				found.addAll(proxies(bean, type, beanName));
			}
		}
		found.addAll(IdentityCheck.check(this.places));
		if (!found.isEmpty()) {
			throw InvalidLockDefinitionException.of(found);
		}
		IdentityCheck.warn(this.places);
		warnOfUnknownOverrides();
		this.invokers.checkFailureHandler();
	}

	private List<InvalidLockDefinitionException> products(String beanName) {
		Class<?> type = this.madeLater.contains(beanName) ? null : typeOf(beanName);
		return (type != null) ? definitions(ClassUtils.getUserClass(type), beanName) : List.of();
	}

	/**
	 * Returns the type, or {@code null} for a class that mentions a missing class. Such a
	 * class fails only at the creation of its bean.
	 */
	private @Nullable Class<?> typeOf(String beanName) {
		try {
			Class<?> type = AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
			if (type != null) {
				LockAnnotations.requireReadable(ClassUtils.getUserClass(type));
			}
			return type;
		}
		catch (RuntimeException | LinkageError ex) {
			logger.debug("Type of bean '{}' is not known before it is created", beanName, ex);
			return null;
		}
	}

	private List<InvalidLockDefinitionException> definitions(Class<?> type, String beanName) {
		if (!LockAnnotations.isCandidate(type) || !this.seen.add(type)) {
			return List.of();
		}
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		for (Method method : LockedMethods.withTokenButWithoutLock(type)) {
			found.add(new LockedMethodId(method)
				.invalid("a parameter is annotated with @FencingToken, but no lock applies",
						"Annotate the method with @DistributedLock, or pass the token from the method that is")
				.inBean(beanName));
		}
		check(type, beanName, found, (method) -> {
			LockedMethod resolved = this.invokers.get(method, type).method();
			this.rules.checkDeclaration(resolved.id(), type);
			this.places.add(place(beanName, type, resolved));
		});
		return found;
	}

	private LockedBeanMethod place(String beanName, Class<?> type, LockedMethod resolved) {
		String permits = resolved.attributes().permits();
		return new LockedBeanMethod(beanName, type,
				(permits != null) ? this.beanFactory.resolveEmbeddedValue(permits) : null, resolved);
	}

	private List<InvalidLockDefinitionException> proxies(Object bean, Class<?> type, String beanName) {
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		if (LockAnnotations.isCandidate(type)) {
			check(type, beanName, found,
					(method) -> this.rules.checkProxy(new LockedMethodId(method, type), bean, type));
		}
		return found;
	}

	private void check(Class<?> type, String beanName, List<InvalidLockDefinitionException> found,
			Consumer<Method> rule) {
		for (Method method : this.methods.on(type)) {
			try {
				rule.accept(method);
			}
			catch (InvalidLockDefinitionException ex) {
				found.add(ex.inBean(beanName));
			}
		}
	}

	private void warnOfUnknownOverrides() {
		SortedSet<String> names = this.methods.names();
		for (String name : this.methods.unknownNames()) {
			logger.warn("distributed-lock.locks.{} has no effect: no annotated method has this name. Names are: {}{}",
					name, names,
					this.methods.meantBy(name)
						.map((meant) -> ". Did you mean distributed-lock.locks[" + meant + "]?")
						.orElse(""));
		}
	}

}
