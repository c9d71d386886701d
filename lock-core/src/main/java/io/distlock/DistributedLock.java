package io.distlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method in one place at a time across all processes that share the store. The
 * lock is acquired before a transaction of the same method begins and released after it
 * committed; it is renewed while the method runs. If the lock is lost meanwhile, the
 * caller of the method gets a {@link LockLostException}.
 * <p>
 * The lock's identity is {@code name:key} when both are given, the one that is given
 * otherwise, and the method's own signature when neither is. On a type it applies to
 * every public method of it.
 */
@Target({ ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface DistributedLock {

	/**
	 * Another name of {@link #key}: {@code @DistributedLock("#order.sku")}. Set one of
	 * them.
	 * @return the expression, empty for none
	 */
	String value() default "";

	/**
	 * Name of the lock, also the name under which operations find it:
	 * {@code distributed-lock.locks.<name>.*} overrides what is said here. May contain
	 * <code>${…}</code> placeholders.
	 * @return the name, empty for none
	 */
	String name() default "";

	/**
	 * A SpEL expression for the part of the key that depends on the call:
	 * {@code #order.sku}, {@code #p0}, {@code @tenants.current()}. The expression is
	 * checked against the method's parameters at startup. It may read properties and call
	 * methods of arguments and beans; types, constructors, assignments and static members
	 * are refused. A null or blank result is refused at the call. A collection or an
	 * array gives a lock for each element, as several {@link #keys} do.
	 * @return the expression, empty for none
	 */
	String key() default "";

	/**
	 * Several keys instead of one: the method runs when it has all of these locks. They
	 * are tried at once and waited for in the same order everywhere, and the wait time
	 * counts for all of them together; if one is not granted the others are released.
	 * Each expression may also give a collection or an array. Duplicates count once.
	 * @return expressions like that of {@link #key}, empty for none
	 */
	String[] keys() default {};

	/**
	 * A SpEL expression that says whether a call needs the lock at all:
	 * {@code "#order.amount > 100"}. It may read what {@link #key} may read, is evaluated
	 * before the key, and must give {@code true} or {@code false}. If it gives
	 * {@code false} the method runs <strong>without a lock</strong>, perhaps at the same
	 * time as others. If it gives anything else, or fails, the call fails.
	 * @return the expression, empty for each call
	 */
	String condition() default "";

	/**
	 * Whether several owners may hold the lock at the same time.
	 * @return the mode
	 */
	LockMode mode() default LockMode.EXCLUSIVE;

	/**
	 * How long to wait for the lock: {@code "3s"}, {@code "PT3S"}, <code>"${…}"</code>;
	 * {@code "0"} tries once. A number without a unit is refused.
	 * @return a duration, empty for {@code distributed-lock.wait-time}
	 */
	String waitTime() default "";

	/**
	 * A fixed lease, not renewed: the lock ends by itself after this time even if the
	 * method still runs. Leave it out to have the lock renewed while the method runs. If
	 * methods with the same lock are nested, only the outermost one sets this time.
	 * @return a duration, empty for {@code distributed-lock.lease-time}, renewed
	 */
	String leaseTime() default "";

	/**
	 * How many callers may wait for one lock in one process. One more is refused at once
	 * as busy, so that a lock that is stuck does not eat a thread pool.
	 * @return at least 1, or 0 for {@code distributed-lock.max-waiters}
	 */
	int maxWaiters() default 0;

	/**
	 * What happens to the running method when the lock is lost.
	 * @return the choice, by default {@code distributed-lock.on-lost}
	 */
	OnLost onLost() default OnLost.DEFAULT;

	/**
	 * The expected maximum hold time. Exceeding it logs one warning with the stack trace
	 * of the holding thread. The lock is still renewed. If methods with the same lock are
	 * nested, only the outermost one sets this time.
	 * @return a duration, empty for {@code distributed-lock.max-hold}
	 */
	String maxHold() default "";

	/**
	 * How long the lock stays taken even if the method returns earlier: for short jobs
	 * that several machines start at the same time, but not at quite the same time. The
	 * method returns at once. If methods with the same lock are nested, only the
	 * outermost one sets this time.
	 * @return a duration, counted from the grant; empty for no longer than the method
	 */
	String minHold() default "";

	/**
	 * What to do when the lock stays busy for the whole wait time.
	 * @return the choice
	 */
	OnBusy onBusy() default OnBusy.THROW;

	/**
	 * What a method returns whose call is skipped by {@link OnBusy#SKIP}: a text that is
	 * converted to its type, such as {@code "false"}, {@code "0"} or the name of an enum
	 * constant. Needed for primitive results.
	 * @return at most one value; none for {@code null}, or an empty {@code Optional}
	 */
	String[] skipValue() default {};

	/**
	 * The method that {@link OnBusy#FALLBACK} calls instead: of the same bean, with the
	 * same parameters, optionally followed by the {@link LockBusyException}, and a result
	 * of the same type.
	 * @return its name
	 */
	String fallback() default "";

	/**
	 * What to do when the store cannot answer.
	 * @return the choice, by default {@code distributed-lock.on-store-failure}
	 */
	OnStoreFailure onStoreFailure() default OnStoreFailure.DEFAULT;

}
