package io.distlock.spring.startup;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

import io.distlock.spring.intercept.LockInterceptor;

/**
 * The advice that surrounds one method of a bean, outermost first.
 *
 * @param advisors the advisors that apply to the method, through all proxies of the bean
 */
record ProxyAdvice(List<Advisor> advisors) {

	static ProxyAdvice of(Object bean, Method method, Class<?> type) {
		return new ProxyAdvice(all(bean).filter((advisor) -> applies(advisor, method, type)).toList());
	}

	/** Returns all advisors. A proxy may be wrapped in another. */
	private static Stream<Advisor> all(@Nullable Object bean) {
		return (bean instanceof Advised advised)
				? Stream.concat(Arrays.stream(advised.getAdvisors()), all(AopProxyUtils.getSingletonTarget(bean)))
				: Stream.empty();
	}

	private static boolean applies(Advisor advisor, Method method, Class<?> type) {
		return !(advisor instanceof PointcutAdvisor pointcut) || AopUtils.canApply(pointcut.getPointcut(), type)
				&& pointcut.getPointcut().getMethodMatcher().matches(method, type);
	}

	/** Returns the advisor of the lock, or {@code null} if the method has none. */
	@Nullable Advisor lock() {
		return this.advisors.stream().filter(ProxyAdvice::isLock).findFirst().orElse(null);
	}

	/** Returns what runs before the lock is taken. */
	List<Advisor> outsideOfLock() {
		return this.advisors.stream().takeWhile((advisor) -> !isLock(advisor)).toList();
	}

	/** Returns what runs under the lock. */
	List<Advisor> insideOfLock() {
		return this.advisors.stream().dropWhile((advisor) -> !isLock(advisor)).toList();
	}

	private static boolean isLock(Advisor advisor) {
		return advisor.getAdvice() instanceof LockInterceptor;
	}

}
