package io.distlock.spring.startup;

import java.util.List;
import java.util.concurrent.CompletionStage;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.aop.Advisor;
import org.springframework.aop.aspectj.AspectJPrecedenceInformation;
import org.springframework.aop.framework.Advised;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.ClassUtils;

import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.definition.LockedMethodId;

/**
 * Warns at startup of methods whose other advice is on the wrong side of the lock. The
 * method works, but the lock protects less than its author believes, or costs callers
 * that should not reach it.
 */
final class AdviceOrderCheck {

	private static final Logger logger = LoggerFactory.getLogger(AdviceOrderCheck.class);

	private static final boolean TRANSACTIONS = ClassUtils.isPresent(
			"org.springframework.transaction.interceptor.TransactionInterceptor",
			AdviceOrderCheck.class.getClassLoader());

	private static final String SECURITY = "org.springframework.security.";

	private static final String TIME_LIMITER = "timeLimiterAspect";

	private final ConfigurableListableBeanFactory beanFactory;

	/**
	 * Creates a check.
	 * @param beanFactory has the beans to check
	 */
	AdviceOrderCheck(ConfigurableListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	void run(List<LockedBeanMethod> places) {
		for (LockedBeanMethod place : places) {
			if (this.beanFactory.containsSingleton(place.bean())
					&& this.beanFactory.getSingleton(place.bean()) instanceof Advised bean) {
				check(place.id(), bean, place.type());
			}
		}
	}

	private static void check(LockedMethodId id, Advised bean, Class<?> type) {
		ProxyAdvice advice = ProxyAdvice.of(bean, id.method(), type);
		Advisor lock = advice.lock();
		if (lock == null) {
			return;
		}
		advice.outsideOfLock()
			.stream()
			.filter((advisor) -> TRANSACTIONS && Transactions.isOne(advisor))
			.findFirst()
			.ifPresent((transaction) -> warnOfTransaction(id, lock, transaction));
		advice.insideOfLock()
			.stream()
			.filter((advisor) -> advisor.getAdvice().getClass().getName().startsWith(SECURITY))
			.findFirst()
			.ifPresent((security) -> warnOfSecurity(id, lock, security));
		if (CompletionStage.class.isAssignableFrom(id.method().getReturnType())) {
			advice.insideOfLock()
				.stream()
				.filter(AdviceOrderCheck::isTimeLimiter)
				.findFirst()
				.ifPresent((limiter) -> warnOfTimeLimiter(id, lock, limiter));
		}
	}

	private static boolean isTimeLimiter(Advisor advisor) {
		return advisor instanceof AspectJPrecedenceInformation aspect && aspect.getAspectName().endsWith(TIME_LIMITER);
	}

	private static void warnOfTransaction(LockedMethodId id, Advisor lock, Advisor transaction) {
		logger.warn("{}: the method's transaction begins before its lock is taken, because the "
				+ "order of the lock ({}) is not lower than that of transactions ({}). The method waits for the lock with "
				+ "a connection in use and may see data from before it had the lock. Set distributed-lock.advice-order lower than "
				+ "that of transactions, or leave both at their defaults", id.title(), orderOf(lock),
				orderOf(transaction));
	}

	private static void warnOfSecurity(LockedMethodId id, Advisor lock, Advisor security) {
		logger.warn("{}: Spring Security checks the caller after the method's lock is taken, because the order of "
				+ "the lock ({}) is not higher than that of the check ({}). A caller without the right waits for the "
				+ "lock and delays others. Set distributed-lock.advice-order higher than that of the check, or leave "
				+ "both at their defaults", id.title(), orderOf(lock), orderOf(security));
	}

	private static void warnOfTimeLimiter(LockedMethodId id, Advisor lock, Advisor limiter) {
		logger.warn("{}: @TimeLimiter ends the method's result under the lock, because its order ({}) is not lower "
				+ "than that of the lock ({}). After a timeout the lock is released although the work may go on. Set "
				+ "resilience4j.timelimiter.time-limiter-aspect-order lower than that of the lock, so that the lock "
				+ "is held until the work ends", id.title(), orderOf(limiter), orderOf(lock));
	}

	private static Object orderOf(Advisor advisor) {
		return (advisor instanceof Ordered ordered) ? ordered.getOrder() : "none";
	}

	/** Needs Spring's transactions on the class path. */
	private static final class Transactions {

		static boolean isOne(Advisor advisor) {
			return advisor.getAdvice() instanceof TransactionInterceptor;
		}

	}

}
