package io.distlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how many callers run a method at the same time, across all processes that share
 * the store. A permit is held like a lock: renewed while the method runs, released when
 * the method ends, and at the latest with its lease if the process dies.
 * <p>
 * Its identity is made like that of {@link DistributedLock}. All methods with the same
 * identity must say the same number of permits.
 */
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedSemaphore {

	/**
	 * Another name of {@link #key}. Set one of them.
	 * @return the expression, empty for none
	 */
	String value() default "";

	/**
	 * Name of the semaphore, also the name under which operations find it:
	 * {@code distributed-lock.locks.<name>.*} overrides what is said here. May contain
	 * <code>${…}</code> placeholders.
	 * @return the name, empty for none
	 */
	String name() default "";

	/**
	 * A SpEL expression for the part of the identity that depends on the call, as in
	 * {@link DistributedLock#key}.
	 * @return the expression, empty for none
	 */
	String key() default "";

	/**
	 * A SpEL expression that says whether a call needs a permit at all, as in
	 * {@link DistributedLock#condition}.
	 * @return the expression, empty for each call
	 */
	String condition() default "";

	/**
	 * How many may run at the same time.
	 * @return a number of at least 1, or a placeholder for it
	 */
	String permits();

	/**
	 * How long to wait for a permit, as in {@link DistributedLock#waitTime}.
	 * @return a duration, empty for {@code distributed-lock.wait-time}
	 */
	String waitTime() default "";

	/**
	 * A fixed lease, not renewed, as in {@link DistributedLock#leaseTime}.
	 * @return a duration, empty for {@code distributed-lock.lease-time}, renewed
	 */
	String leaseTime() default "";

	/**
	 * How many callers may wait in one process, as in {@link DistributedLock#maxWaiters}.
	 * @return at least 1, or 0 for {@code distributed-lock.max-waiters}
	 */
	int maxWaiters() default 0;

	/**
	 * What happens to the running method when the permit is lost.
	 * @return the choice, by default {@code distributed-lock.on-lost}
	 */
	OnLost onLost() default OnLost.DEFAULT;

	/**
	 * The expected maximum hold time, as in {@link DistributedLock#maxHold}.
	 * @return a duration, empty for {@code distributed-lock.max-hold}
	 */
	String maxHold() default "";

	/**
	 * What to do when no permit becomes free for the whole wait time.
	 * @return the choice
	 */
	OnBusy onBusy() default OnBusy.THROW;

	/**
	 * What a method returns whose call is skipped by {@link OnBusy#SKIP}.
	 * @return at most one value; none for {@code null}, or an empty {@code Optional}
	 */
	String[] skipValue() default {};

	/**
	 * The method that {@link OnBusy#FALLBACK} calls instead, as in
	 * {@link DistributedLock#fallback}.
	 * @return its name
	 */
	String fallback() default "";

	/**
	 * What to do when the store cannot answer.
	 * @return the choice, by default {@code distributed-lock.on-store-failure}
	 */
	OnStoreFailure onStoreFailure() default OnStoreFailure.DEFAULT;

}
