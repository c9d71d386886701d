package io.distlock.aspectj;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.DeclarePrecedence;
import org.aspectj.lang.annotation.Pointcut;
import org.jspecify.annotations.Nullable;

import io.distlock.spring.intercept.WovenLocks;

/**
 * Runs annotated methods under their lock for every caller, including calls within the
 * same object, even if the methods are private or final. AspectJ weaves the aspect when
 * classes are loaded, or into class files. A woven method runs under its lock or not at
 * all. Its calls fail without an application context that has
 * {@code distributed-lock.advice-mode=aspectj}.
 * <p>
 * The aspect matches the lock annotations on a method, on a class (public methods only),
 * and as meta-annotations up to three levels deep. It runs before other aspects, so that
 * a woven transaction begins under the lock.
 */
@Aspect
@DeclarePrecedence("io.distlock.aspectj.DistributedLockAspect, *")
public final class DistributedLockAspect {

	private static final DistributedLockAspect INSTANCE = new DistributedLockAspect();

	private DistributedLockAspect() {
	}

	/**
	 * Returns the only instance. The method is written by hand, so that this class needs
	 * no weaving.
	 * @return the aspect
	 */
	public static DistributedLockAspect aspectOf() {
		return INSTANCE;
	}

	/**
	 * Returns whether there is an instance.
	 * @return {@code true}
	 */
	public static boolean hasAspect() {
		return true;
	}

	@Pointcut("execution(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) * *(..))"
			+ " || execution(@(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *) * *(..))"
			+ " || execution(@(@(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *) *) * *(..))"
			+ " || execution(@(@(@(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *) *) *) * *(..))")
	private void annotated() {
	}

	@Pointcut("execution(public !static * *(..)) && (within(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *)"
			+ " || within(@(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *) *)"
			+ " || within(@(@(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *) *) *)"
			+ " || within(@(@(@(@(io.distlock.DistributedLock || io.distlock.DistributedSemaphore) *) *) *) *))")
	private void ofAnnotatedClass() {
	}

	@Pointcut("execution(String toString()) || execution(int hashCode()) || execution(boolean equals(Object))")
	private void ofObject() {
	}

	/** Matches proxies, which inherit the annotation of their class, but not the body. */
	@Pointcut("within(*..*$$SpringCGLIB$$*)")
	private void ofProxy() {
	}

	/**
	 * Runs a woven method under its lock.
	 * @param point the method and its body
	 * @return what the method returns
	 * @throws Throwable what the method or the lock throws
	 */
	@Around("(annotated() || (ofAnnotatedClass() && !ofObject())) && !ofProxy()")
	public @Nullable Object lock(ProceedingJoinPoint point) throws Throwable {
		return WovenLocks.run(new WovenInvocation(point));
	}

}
