package io.distlock.spring.definition;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;

/**
 * Finds the annotation that applies to a method: its own, then that of the interface
 * method it implements, then that of its class, then that of the interface. Attributes
 * are not mixed: the nearest annotation counts alone.
 */
public final class LockAnnotations {

	private LockAnnotations() {
	}

	public static @Nullable LockAttributes find(Method method, Class<?> targetClass) {
		Method specific = specific(method, targetClass);
		if (specific.getDeclaringClass() == Object.class) {
			return null;
		}
		LockAttributes own = on(specific);
		if (own != null || !isPublicInstanceMethod(specific)) {
			return own;
		}
		// Also reached by a class proxy when the interface is on a subclass of the one
		// that has the method, which the search above does not see.
		Method onInterface = ClassUtils.getInterfaceMethodIfPossible(specific, targetClass);
		LockAttributes found = on(onInterface);
		if (found != null || ReflectionUtils.isObjectMethod(specific)) {
			return found;
		}
		LockAttributes ofClass = onType(targetClass);
		return (ofClass != null) ? ofClass : onType(onInterface.getDeclaringClass());
	}

	/**
	 * The method that runs, which is the one that has the parameter names. The class of a
	 * lambda has another name in each process and nothing to read: there it is the
	 * interface's.
	 */
	public static Method specific(Method method, Class<?> targetClass) {
		if (ClassUtils.isLambdaClass(targetClass)) {
			return ClassUtils.getInterfaceMethodIfPossible(method, targetClass);
		}
		return Proxy.isProxyClass(targetClass) ? method : AopUtils.getMostSpecificMethod(method, targetClass);
	}

	/**
	 * Returns whether the class was generated: only the interfaces of lambdas and proxies
	 * are written.
	 */
	public static boolean isGenerated(Class<?> type) {
		return ClassUtils.isLambdaClass(type) || Proxy.isProxyClass(type);
	}

	private static boolean isPublicInstanceMethod(Method method) {
		return Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers())
				&& !method.isSynthetic();
	}

	private static @Nullable LockAttributes on(Method method) {
		DistributedLock lock = AnnotatedElementUtils.findMergedAnnotation(method, DistributedLock.class);
		if (lock != null) {
			return LockAttributes.of(lock);
		}
		DistributedSemaphore semaphore = AnnotatedElementUtils.findMergedAnnotation(method, DistributedSemaphore.class);
		return (semaphore != null) ? LockAttributes.of(semaphore) : null;
	}

	private static @Nullable LockAttributes onType(Class<?> type) {
		MergedAnnotations found = MergedAnnotations.from(type, SearchStrategy.SUPERCLASS);
		MergedAnnotation<DistributedLock> lock = found.get(DistributedLock.class);
		MergedAnnotation<DistributedSemaphore> semaphore = found.get(DistributedSemaphore.class);
		boolean nearerSemaphore = semaphore.isPresent()
				&& (!lock.isPresent() || semaphore.getAggregateIndex() < lock.getAggregateIndex());
		if (nearerSemaphore) {
			return LockAttributes.of(semaphore.synthesize());
		}
		return lock.isPresent() ? LockAttributes.of(lock.synthesize()) : null;
	}

}
