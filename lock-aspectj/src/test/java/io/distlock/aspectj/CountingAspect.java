package io.distlock.aspectj;

import java.util.concurrent.atomic.AtomicInteger;

import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;

/** An aspect of the application's own, on methods that are locked too. */
@Aspect
public final class CountingAspect {

	static final AtomicInteger CALLS = new AtomicInteger();

	private static final CountingAspect INSTANCE = new CountingAspect();

	private CountingAspect() {
	}

	public static CountingAspect aspectOf() {
		return INSTANCE;
	}

	public static boolean hasAspect() {
		return true;
	}

	@Around("execution(@io.distlock.aspectj.Counted * *(..))")
	public Object count(ProceedingJoinPoint point) throws Throwable {
		CALLS.incrementAndGet();
		return point.proceed();
	}

}
