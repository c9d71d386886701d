package io.distlock.spring.definition;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ConcurrentReferenceHashMap;
import org.springframework.util.ReflectionUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;

/**
 * Finds the annotation that applies to a method. The search starts at the method, and
 * continues at the interface method it implements, its class, and the interfaces that
 * declare or inherit the method. Attributes are not mixed: only the nearest annotation
 * counts.
 */
public final class LockAnnotations {

	/** Caches results, because a start asks several times about each method. */
	private static final Map<MethodClassKey, Optional<LockAttributes>> FOUND = new ConcurrentReferenceHashMap<>();

	/** Caches types, because most types have no annotation and many share interfaces. */
	private static final Map<Class<?>, Boolean> CANDIDATES = new ConcurrentReferenceHashMap<>();

	private LockAnnotations() {
	}

	/**
	 * Returns whether an annotation may apply to a method of a type, or a parameter of
	 * such a method wants a fencing token. The check is cheap: it reads only the
	 * declarations of the type and its supertypes, and ignores overriding.
	 * @param type the class of a target
	 * @return {@code false} if {@link #find} finds nothing on it
	 */
	public static boolean isCandidate(Class<?> type) {
		Boolean known = CANDIDATES.get(type);
		if (known == null) {
			known = isDeclaredOn(type) || isCandidateAbove(type);
			CANDIDATES.put(type, known);
		}
		return known;
	}

	private static boolean isCandidateAbove(Class<?> type) {
		Class<?> superclass = type.getSuperclass();
		return superclass != null && isCandidate(superclass)
				|| Arrays.stream(type.getInterfaces()).anyMatch(LockAnnotations::isCandidate);
	}

	private static boolean isDeclaredOn(Class<?> type) {
		if (!AnnotationUtils.isCandidateClass(type, List.of(DistributedLock.class, DistributedSemaphore.class))) {
			return false;
		}
		try {
			return isPresent(type) || Arrays.stream(type.getDeclaredMethods())
				.anyMatch((method) -> isPresent(method) || TokenParameter.isOn(method));
		}
		catch (LinkageError ex) {
			// A class that a method mentions is missing. The search handles this.
			return true;
		}
	}

	/**
	 * Reads the methods of a type, unless no annotation can apply to them.
	 * @param type the class of a target
	 * @throws IllegalStateException if a method mentions a missing class
	 */
	public static void requireReadable(Class<?> type) {
		if (isCandidate(type)) {
			ReflectionUtils.getAllDeclaredMethods(type);
			ClassUtils.getAllInterfacesForClassAsSet(type).forEach(ReflectionUtils::getAllDeclaredMethods);
		}
	}

	private static boolean isPresent(AnnotatedElement element) {
		if (element.getDeclaredAnnotations().length == 0) {
			return false;
		}
		MergedAnnotations found = MergedAnnotations.from(element, SearchStrategy.DIRECT);
		return found.isPresent(DistributedLock.class) || found.isPresent(DistributedSemaphore.class);
	}

	/**
	 * Finds the attributes that apply to a method.
	 * @param method the method, perhaps of an interface
	 * @param targetClass the class of the target
	 * @return {@code null} if no annotation applies
	 */
	public static @Nullable LockAttributes find(Method method, Class<?> targetClass) {
		MethodClassKey key = new MethodClassKey(method, targetClass);
		Optional<LockAttributes> known = FOUND.get(key);
		if (known == null) {
			known = Optional.ofNullable(search(method, targetClass));
			FOUND.put(key, known);
		}
		return known.orElse(null);
	}

	private static @Nullable LockAttributes search(Method method, Class<?> targetClass) {
		Method specific = specific(method, targetClass);
		if (specific.getDeclaringClass() == Object.class) {
			return null;
		}
		LockAttributes own = on(specific);
		if (own != null || !isPublicInstanceMethod(specific)) {
			return own;
		}
		// A class proxy also gets here if a subclass of the method's class has the
		// interface. The search above does not see this.
		Method onInterface = ClassUtils.getInterfaceMethodIfPossible(specific, targetClass);
		LockAttributes found = onInterface.equals(specific) ? null : on(onInterface);
		if (found != null || ReflectionUtils.isObjectMethod(specific)) {
			return found;
		}
		LockAttributes ofClass = onType(targetClass);
		return (ofClass != null) ? ofClass : onInterfaceOf(specific, targetClass);
	}

	/**
	 * Returns the attributes of the nearest interface that declares or inherits a method.
	 * A generic interface declares it with other parameters.
	 */
	private static @Nullable LockAttributes onInterfaceOf(Method specific, Class<?> targetClass) {
		Class<?> nearest = null;
		for (Class<?> contract : ClassUtils.getAllInterfacesForClassAsSet(targetClass)) {
			if ((nearest == null || nearest.isAssignableFrom(contract)) && isCandidate(contract)
					&& onType(contract) != null && declares(contract, specific, targetClass)) {
				nearest = contract;
			}
		}
		return (nearest != null) ? onType(nearest) : null;
	}

	private static boolean declares(Class<?> contract, Method specific, Class<?> targetClass) {
		return Arrays.stream(contract.getMethods())
			.anyMatch((method) -> method.getName().equals(specific.getName())
					&& specific(method, targetClass).equals(specific));
	}

	/**
	 * Returns the method that runs, which has the parameter names. For a lambda it is the
	 * method of the interface, because the class has another name in each process.
	 */
	public static Method specific(Method method, Class<?> targetClass) {
		if (ClassUtils.isLambdaClass(targetClass)) {
			return ClassUtils.getInterfaceMethodIfPossible(method, targetClass);
		}
		return Proxy.isProxyClass(targetClass) ? method : AopUtils.getMostSpecificMethod(method, targetClass);
	}

	/**
	 * Returns whether the class was generated. For lambdas and proxies, only the
	 * interfaces exist in source code.
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
