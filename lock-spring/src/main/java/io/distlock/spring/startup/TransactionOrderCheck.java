package io.distlock.spring.startup;

import java.util.Arrays;
import java.util.List;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.ClassUtils;

import io.distlock.spring.definition.LockedMethodId;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.intercept.LockInterceptor;

/**
 * Warns at startup of methods whose transaction begins before their lock is taken. Such a
 * lock still outlives the commit. But the method holds a connection while it waits, and
 * may read data from before the lock was taken.
 */
final class TransactionOrderCheck implements SmartInitializingSingleton {

	private static final Logger logger = LoggerFactory.getLogger(TransactionOrderCheck.class);

	private final ConfigurableListableBeanFactory beanFactory;

	private final LockedMethods methods;

	/**
	 * Creates a check.
	 * @param beanFactory has the beans to check
	 * @param methods the annotated methods
	 */
	TransactionOrderCheck(ConfigurableListableBeanFactory beanFactory, LockedMethods methods) {
		this.beanFactory = beanFactory;
		this.methods = methods;
	}

	@Override
	public void afterSingletonsInstantiated() {
		for (String beanName : this.beanFactory.getBeanDefinitionNames()) {
			if (this.beanFactory.containsSingleton(beanName)
					&& this.beanFactory.getSingleton(beanName) instanceof Advised bean) {
				check(bean, ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean)));
			}
		}
	}

	private void check(Advised bean, Class<?> type) {
		List<Advisor> advisors = Arrays.asList(bean.getAdvisors());
		List<Advisor> locks = advisors.stream()
			.filter((advisor) -> advisor.getAdvice() instanceof LockInterceptor)
			.toList();
		if (locks.isEmpty()) {
			return;
		}
		for (Advisor outer : advisors.subList(0, advisors.indexOf(locks.get(0)))) {
			if (outer.getAdvice() instanceof TransactionInterceptor && outer instanceof PointcutAdvisor transactions) {
				this.methods.on(type)
					.stream()
					.filter((method) -> transactions.getPointcut().getMethodMatcher().matches(method, type))
					.forEach((method) -> warn(new LockedMethodId(method, type), locks.get(0), outer));
			}
		}
	}

	private static void warn(LockedMethodId id, Advisor lock, Advisor transaction) {
		logger.warn("{}: the method's transaction begins before its lock is taken, because the "
				+ "order of the lock ({}) is not lower than that of transactions ({}). The method waits for the lock with "
				+ "a connection in use and may see data from before it had the lock. Lower distributed-lock.advice-order, or leave "
				+ "it out", id.title(), orderOf(lock), orderOf(transaction));
	}

	private static Object orderOf(Advisor advisor) {
		return (advisor instanceof Ordered ordered) ? ordered.getOrder() : "none";
	}

}
