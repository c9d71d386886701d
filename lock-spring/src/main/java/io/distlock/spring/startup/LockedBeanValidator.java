package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.springframework.aop.framework.autoproxy.AbstractAutoProxyCreator;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.InstantiationAwareBeanPostProcessor;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.beans.factory.support.MergedBeanDefinitionPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.event.ContextRefreshedEvent;
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
 * lock, or whose key or times cannot work. It checks a bean before its first callback and
 * before the proxy is created, so that the error has a text of this library, and not of
 * the proxy creator. It checks the bean again when all singletons exist, because only
 * then all proxies are known. It checks beans that are not created at startup by their
 * type. It checks beans of a factory, and beans that are not singletons, again when the
 * first of them has its proxy. It checks child contexts that have no validator when they
 * are refreshed.
 */
final class LockedBeanValidator implements MergedBeanDefinitionPostProcessor, InstantiationAwareBeanPostProcessor,
		SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

	/**
	 * Names of the beans that put the mocks of a test in place of beans: of Spring, of
	 * Spring Boot 3, and of a library for Kotlin.
	 */
	private static final List<String> REPLACING = List.of(
			"org.springframework.test.context.bean.override.internalBeanOverridePostProcessor",
			"org.springframework.boot.test.mock.mockito.MockitoPostProcessor",
			"com.ninjasquad.springmockk.MockkPostProcessor");

	private static final Logger logger = LoggerFactory.getLogger(LockedBeanValidator.class);

	private final Set<Class<?>> seen = ConcurrentHashMap.newKeySet();

	/** Names of beans with a candidate type that the bean factory made. */
	private final Set<String> made = ConcurrentHashMap.newKeySet();

	/** Definitions of such beans whose first object is not checked yet. */
	private final Map<String, RootBeanDefinition> unchecked = new ConcurrentHashMap<>();

	private final Set<String> madeLater = ConcurrentHashMap.newKeySet();

	private final Set<Class<?>> filled = ConcurrentHashMap.newKeySet();

	private final Queue<LockedBeanMethod> places = new ConcurrentLinkedQueue<>();

	private final ConfigurableListableBeanFactory beanFactory;

	private final Invokers invokers;

	private final LockedMethods methods;

	private final AdviceMode mode;

	private final StartupChecks checks;

	private final InterceptionRules rules;

	/** Where the singletons with a bean definition come from. */
	private final BeanOrigin origin;

	/**
	 * Creates a validator.
	 * @param beanFactory has the beans to check
	 * @param invokers run the annotated methods
	 * @param mode what must intercept the calls of these methods
	 * @param checks look at all methods together
	 */
	LockedBeanValidator(ConfigurableListableBeanFactory beanFactory, Invokers invokers, AdviceMode mode,
			StartupChecks checks) {
		this(beanFactory, invokers, mode, checks, BeanOrigin.MADE);
	}

	private LockedBeanValidator(ConfigurableListableBeanFactory beanFactory, Invokers invokers, AdviceMode mode,
			StartupChecks checks, BeanOrigin origin) {
		this.beanFactory = beanFactory;
		this.invokers = invokers;
		this.methods = invokers.methods();
		this.mode = mode;
		this.checks = checks;
		this.origin = origin;
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
	public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> beanType, String beanName) {
		if (LockAnnotations.isCandidate(ClassUtils.getUserClass(beanType))) {
			this.made.add(beanName);
			this.unchecked.put(beanName, definition);
		}
	}

	/**
	 * Checks a bean before its first callback. An exception of this method is reported
	 * with its text.
	 */
	@Override
	public boolean postProcessAfterInstantiation(Object bean, String beanName) {
		Class<?> type = ClassUtils.getUserClass(bean);
		checkMade(type, beanName);
		if (!this.made.contains(beanName) && LockAnnotations.isCandidate(type) && beanName.equals(type.getName())
				&& this.filled.add(type)) {
			warnOfFilled(type);
		}
		return true;
	}

	/** Checks a record, whose fields Spring does not set. */
	@Override
	public Object postProcessBeforeInitialization(Object bean, String beanName) {
		checkMade(ClassUtils.getUserClass(bean), beanName);
		return bean;
	}

	private void checkMade(Class<?> type, String beanName) {
		RootBeanDefinition definition = this.unchecked.remove(beanName);
		if (definition == null) {
			return;
		}
		List<InvalidLockDefinitionException> found = new ArrayList<>(definitions(type, beanName));
		found.addAll(callbacks(type, beanName, definition));
		if (!found.isEmpty()) {
			// The start has failed. The same list reports faults at other beans.
			for (String other : this.beanFactory.getBeanDefinitionNames()) {
				found.addAll(other.equals(beanName) ? List.of() : ofType(other));
			}
			found.addAll(IdentityCheck.check(this.places));
			throw InvalidLockDefinitionException.of(found);
		}
	}

	/**
	 * Warns of an object that the bean factory did not make, but whose fields it sets.
	 * The factory names such an object after its class.
	 */
	private void warnOfFilled(Class<?> type) {
		if (this.mode == AdviceMode.PROXY) {
			this.methods.on(type)
				.forEach((method) -> logger
					.warn("{}: autowireBean gave the object its dependencies but no proxy, so the "
							+ "method runs without the lock. Use what initializeBean returns, or createBean, or take "
							+ "the lock in its body with LockTemplate", new LockedMethodId(method, type).title()));
		}
	}

	@Override
	public Object postProcessAfterInitialization(Object bean, String beanName) {
		if (!this.madeLater.contains(beanName) && isMadeLater(bean, beanName)) {
			Class<?> type = typeOf(bean, beanName);
			List<InvalidLockDefinitionException> found = new ArrayList<>(definitions(type, beanName));
			found.addAll(proxies(bean, type, beanName, this.origin));
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
		checkAll();
		IdentityCheck.warn(this.places);
		warnOfUnknownOverrides();
		this.invokers.checkFailureHandler();
		this.checks.run(places());
	}

	/**
	 * A child context without the locks has no validator either, so this one checks it.
	 */
	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext()
			.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory child
				&& child != this.beanFactory
				&& child.getBeanNamesForType(LockedBeanValidator.class, false, false).length == 0) {
			new LockedBeanValidator(child, this.invokers, this.mode, this.checks, BeanOrigin.CHILD).checkAll();
		}
	}

	private void checkAll() {
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			Object bean = this.beanFactory.containsSingleton(beanName) ? this.beanFactory.getSingleton(beanName) : null;
			found.addAll((bean != null) ? singleton(bean, beanName) : ofType(beanName));
		}
		for (String beanName : this.beanFactory.getSingletonNames()) {
			if (!this.beanFactory.containsBeanDefinition(beanName)) {
				found.addAll(check(this.beanFactory.getSingleton(beanName), beanName, BeanOrigin.REGISTERED));
			}
		}
		found.addAll(IdentityCheck.check(this.places));
		if (!found.isEmpty()) {
			throw InvalidLockDefinitionException.of(found);
		}
	}

	private List<InvalidLockDefinitionException> singleton(Object bean, String beanName) {
		if (isReplacedByTest(beanName)) {
			return List.of();
		}
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		if (bean instanceof FactoryBean) {
			found.addAll(products(beanName));
		}
		found.addAll(check(bean, beanName, this.origin));
		return found;
	}

	private List<InvalidLockDefinitionException> check(@Nullable Object bean, String beanName, BeanOrigin beanOrigin) {
		if (bean == null || bean instanceof AopInfrastructureBean) {
			return List.of();
		}
		Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
		List<InvalidLockDefinitionException> found = new ArrayList<>(
				definitions(ClassUtils.getUserClass(type), beanName));
		found.addAll(proxies(bean, type, beanName, beanOrigin));
		return found;
	}

	/** Checks a bean that is made later, or never. */
	private List<InvalidLockDefinitionException> ofType(String beanName) {
		Class<?> declared = typeOf(beanName);
		if (declared == null) {
			return List.of();
		}
		Class<?> type = ClassUtils.getUserClass(declared);
		List<InvalidLockDefinitionException> found = new ArrayList<>(declared(type, beanName));
		if (this.origin == BeanOrigin.CHILD && !createsProxies()) {
			found.addAll(proxies(this.beanFactory, type, beanName, this.origin));
		}
		return found;
	}

	private boolean createsProxies() {
		return this.beanFactory.getBeanNamesForType(AbstractAutoProxyCreator.class, false, false).length > 0;
	}

	/**
	 * Returns whether a test replaced a bean by an object of its own, which the bean
	 * factory did not make. What runs then is the business of the test.
	 */
	private boolean isReplacedByTest(String beanName) {
		return !this.made.contains(beanName) && REPLACING.stream().anyMatch(this.beanFactory::containsBean);
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

	/** Checks what is known of a bean before it exists. */
	private List<InvalidLockDefinitionException> declared(Class<?> type, String beanName) {
		List<InvalidLockDefinitionException> found = new ArrayList<>(definitions(type, beanName));
		// The callbacks of a factory are not those of its products.
		if (LockAnnotations.isCandidate(type) && !this.beanFactory.isFactoryBean(beanName)
				&& this.beanFactory.getMergedBeanDefinition(beanName) instanceof AbstractBeanDefinition definition) {
			found.addAll(callbacks(type, beanName, definition));
		}
		return found;
	}

	private List<InvalidLockDefinitionException> callbacks(Class<?> type, String beanName,
			AbstractBeanDefinition definition) {
		LifecycleCallbacks callbacks = new LifecycleCallbacks(definition, type);
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		check(type, beanName, found,
				(method) -> this.rules.checkCallbacks(new LockedMethodId(method, type), callbacks));
		return found;
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

	private List<InvalidLockDefinitionException> proxies(Object bean, Class<?> type, String beanName,
			BeanOrigin beanOrigin) {
		List<InvalidLockDefinitionException> found = new ArrayList<>();
		if (LockAnnotations.isCandidate(type)) {
			check(type, beanName, found,
					(method) -> this.rules.checkProxy(new LockedMethodId(method, type), bean, type, beanOrigin));
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
