package io.distlock.spring.startup;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedMethodId;
import io.distlock.spring.intercept.LockInterceptor;

/**
 * Checks that {@code @Async} hands a method to another thread before the lock of the
 * method is acquired.
 */
final class AsyncOrder {

	private final BeanFactory beanFactory;

	AsyncOrder(BeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	/**
	 * Checks a method.
	 * @param id the annotated method
	 * @param bean the bean as other beans get it
	 * @param type the class of the bean
	 * @throws InvalidLockDefinitionException if the lock would be released before the
	 * work is done
	 */
	void check(LockedMethodId id, Object bean, Class<?> type) {
		if (isAsyncInside(id.method(), bean, type, false)) {
			throw id.invalid(
					"@Async hands the call to another thread inside of the lock, which would be released "
							+ "before the work is done",
					"Leave order and mode of @EnableAsync at their defaults, so that the lock is taken on that thread");
		}
	}

	/**
	 * Returns whether {@code @Async} runs inside of the lock. If it is woven, it is
	 * inside of every proxy and of a woven lock.
	 */
	private boolean isAsyncInside(Method method, @Nullable Object bean, Class<?> type, boolean locked) {
		if (!(bean instanceof Advised advised)) {
			return this.beanFactory.containsBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME)
					&& (AnnotatedElementUtils.hasAnnotation(method, Async.class)
							|| AnnotatedElementUtils.hasAnnotation(type, Async.class));
		}
		boolean inside = locked;
		for (Advisor advisor : advised.getAdvisors()) {
			if (inside && advisor.getAdvice() instanceof AsyncExecutionInterceptor && matches(advisor, method, type)) {
				return true;
			}
			inside |= advisor.getAdvice() instanceof LockInterceptor;
		}
		return isAsyncInside(method, AopProxyUtils.getSingletonTarget(bean), type, inside);
	}

	private static boolean matches(Advisor advisor, Method method, Class<?> type) {
		return !(advisor instanceof PointcutAdvisor pointcut) || AopUtils.canApply(pointcut.getPointcut(), type)
				&& pointcut.getPointcut().getMethodMatcher().matches(method, type);
	}

}
