package io.distlock.spring.startup;

import java.lang.reflect.Method;

import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

import io.distlock.spring.InvalidLockDefinitionException;
import io.distlock.spring.definition.LockedMethodId;

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
		if (isAsyncInside(id.method(), bean, type)) {
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
	private boolean isAsyncInside(Method method, Object bean, Class<?> type) {
		return isWoven(method, type) || ProxyAdvice.of(bean, method, type)
			.insideOfLock()
			.stream()
			.anyMatch((advisor) -> advisor.getAdvice() instanceof AsyncExecutionInterceptor);
	}

	private boolean isWoven(Method method, Class<?> type) {
		return this.beanFactory.containsBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME)
				&& (AnnotatedElementUtils.hasAnnotation(method, Async.class)
						|| AnnotatedElementUtils.hasAnnotation(type, Async.class));
	}

}
