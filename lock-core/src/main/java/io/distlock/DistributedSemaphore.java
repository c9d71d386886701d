package io.distlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Limits how many callers run a method at the same time, across all processes that share
 * the store. A permit is held like a lock: it is renewed while the method runs and
 * released when the method ends. If the process dies, the permit ends with its lease at
 * the latest.
 * <p>
 * The identity of a semaphore is made like that of a {@link DistributedLock}. All methods
 * with the same identity must set the same number of permits.
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
	 * Names the semaphore. Operators find the semaphore under this name. The properties
	 * {@code distributed-lock.locks.<name>.*} override the options that are set here. The
	 * name may contain <code>${…}</code> placeholders.
	 * @return the name, empty for none
	 */
	String name() default "";

	/**
	 * Sets the SpEL expression for the part of the identity that depends on the call, as
	 * in {@link DistributedLock#key}.
	 * @return the expression, empty for none
	 */
	String key() default "";

	/**
	 * Sets a SpEL expression that says whether a call needs a permit at all, as in
	 * {@link DistributedLock#condition}.
	 * @return the expression, empty if each call needs a permit
	 */
	String condition() default "";

	/**
	 * Sets how many callers may run the method at the same time.
	 * @return a number of at least 1, or a placeholder for it
	 */
	String permits();

	/**
	 * Sets how long to wait for a permit, as in {@link DistributedLock#waitTime}.
	 * @return a duration, empty for {@code distributed-lock.wait-time}
	 */
	String waitTime() default "";

	/**
	 * Sets a fixed lease, which is not renewed, as in {@link DistributedLock#leaseTime}.
	 * @return a duration; empty for {@code distributed-lock.lease-time}, which is renewed
	 */
	String leaseTime() default "";

	/**
	 * Limits how many callers may wait in one process, as in
	 * {@link DistributedLock#maxWaiters}.
	 * @return at least 1, or 0 for {@code distributed-lock.max-waiters}
	 */
	int maxWaiters() default 0;

	/**
	 * Sets what happens to the running method when the permit is lost.
	 * @return the choice; by default that of {@code distributed-lock.on-lost}
	 */
	OnLost onLost() default OnLost.DEFAULT;

	/**
	 * Sets the expected maximum hold time, as in {@link DistributedLock#maxHold}.
	 * @return a duration, empty for {@code distributed-lock.max-hold}
	 */
	String maxHold() default "";

	/**
	 * Sets what to do when no permit becomes free during the whole wait time.
	 * @return the choice
	 */
	OnBusy onBusy() default OnBusy.THROW;

	/**
	 * Sets what the method returns if {@link OnBusy#SKIP} skips its call, as in
	 * {@link DistributedLock#skipValue}.
	 * @return at most one value; without one, the method returns {@code null} or an empty
	 * {@code Optional}
	 */
	String[] skipValue() default {};

	/**
	 * Names the method that {@link OnBusy#FALLBACK} calls instead, as in
	 * {@link DistributedLock#fallback}.
	 * @return the name of the method
	 */
	String fallback() default "";

	/**
	 * Sets what to do when the store cannot answer.
	 * @return the choice; by default that of {@code distributed-lock.on-store-failure}
	 */
	OnStoreFailure onStoreFailure() default OnStoreFailure.DEFAULT;

}
