package io.distlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method in only one place at a time, across all processes that share the store.
 * The lock is acquired before a transaction of the method begins, and released after the
 * transaction has committed. The lock is renewed while the method runs. If the lock is
 * lost meanwhile, the caller of the method gets a {@link LockLostException}.
 * <p>
 * The lock's identity is {@code name:key} if both are given. If only one of them is
 * given, it is the identity. If neither is given, the method's signature is the identity.
 * On a type, the annotation applies to each public method of the type.
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
	 * Names the lock. Operators find the lock under this name. The properties
	 * {@code distributed-lock.locks.<name>.*} override the options that are set here. The
	 * name may contain <code>${…}</code> placeholders.
	 * @return the name, empty for none
	 */
	String name() default "";

	/**
	 * Sets the SpEL expression for the part of the key that depends on the call:
	 * {@code #order.sku}, {@code #p0}, {@code @tenants.current()}. The expression is
	 * checked against the method's parameters at startup. It may use what expressions of
	 * Spring's caching annotations may use. A null or blank result, a null part, and a
	 * value whose text differs between processes are refused when the method is called. A
	 * collection or an array gives one lock for each element, as several {@link #keys}
	 * do.
	 * @return the expression, empty for none
	 */
	String key() default "";

	/**
	 * Sets several keys instead of one. The method runs when it has all of these locks.
	 * They are acquired in an order that is the same everywhere. The wait time counts for
	 * all of them together. If one is not granted, the others are released. Each
	 * expression may also give a collection or an array. Duplicates count once.
	 * @return expressions like that of {@link #key}, empty for none
	 */
	String[] keys() default {};

	/**
	 * Sets a SpEL expression that says whether a call needs the lock at all:
	 * {@code "#order.amount > 100"}. It may read the same things as {@link #key}. It is
	 * evaluated before the key, and must give {@code true} or {@code false}. If it gives
	 * {@code false}, the method runs <strong>without a lock</strong>, perhaps at the same
	 * time as other calls. If it gives another result, compares a null, or fails, the
	 * call fails.
	 * @return the expression, empty if each call needs the lock
	 */
	String condition() default "";

	/**
	 * Sets whether several owners may hold the lock at the same time.
	 * @return the mode
	 */
	LockMode mode() default LockMode.EXCLUSIVE;

	/**
	 * Sets how long to wait for the lock: {@code "3s"}, {@code "PT3S"},
	 * <code>"${…}"</code>; {@code "0"} tries once. A number without a unit is refused.
	 * @return a duration, empty for {@code distributed-lock.wait-time}
	 */
	String waitTime() default "";

	/**
	 * Sets a fixed lease, which is not renewed. The lock ends after this time, even if
	 * the method still runs. Without a fixed lease, the lock is renewed while the method
	 * runs. If methods with the same lock are nested, only the outermost method sets this
	 * time.
	 * @return a duration; empty for {@code distributed-lock.lease-time}, which is renewed
	 */
	String leaseTime() default "";

	/**
	 * Limits how many callers may wait for one lock in one process. A further caller is
	 * refused at once as busy, so that a stuck lock does not use up a thread pool.
	 * @return at least 1, or 0 for {@code distributed-lock.max-waiters}
	 */
	int maxWaiters() default 0;

	/**
	 * Sets what happens to the running method when the lock is lost.
	 * @return the choice; by default that of {@code distributed-lock.on-lost}
	 */
	OnLost onLost() default OnLost.DEFAULT;

	/**
	 * Sets the expected maximum hold time. If the lock is held for longer, one warning
	 * with the stack trace of the holding thread is logged. The lock is still renewed. If
	 * methods with the same lock are nested, only the outermost method sets this time.
	 * @return a duration, empty for {@code distributed-lock.max-hold}
	 */
	String maxHold() default "";

	/**
	 * Sets how long the lock stays taken even if the method returns earlier. This is for
	 * short jobs that several machines start at nearly the same time. The method does not
	 * wait until this time is over. If methods with the same lock are nested, only the
	 * outermost method sets this time.
	 * @return a duration, counted from the grant; if empty, the lock is released when the
	 * method ends
	 */
	String minHold() default "";

	/**
	 * Sets what to do when the lock stays busy for the whole wait time.
	 * @return the choice
	 */
	OnBusy onBusy() default OnBusy.THROW;

	/**
	 * Sets what the method returns if {@link OnBusy#SKIP} skips its call. The text is
	 * converted to the method's result type, for instance {@code "false"}, {@code "0"} or
	 * the name of an enum constant. A method with a primitive result needs it.
	 * @return at most one value; without one, the method returns {@code null} or an empty
	 * {@code Optional}
	 */
	String[] skipValue() default {};

	/**
	 * Names the method that {@link OnBusy#FALLBACK} calls instead. It belongs to the same
	 * bean and has a result of the same type. It has the same parameters, optionally
	 * followed by the {@link LockBusyException}.
	 * @return the name of the method
	 */
	String fallback() default "";

	/**
	 * Sets what to do when the store cannot answer.
	 * @return the choice; by default that of {@code distributed-lock.on-store-failure}
	 */
	OnStoreFailure onStoreFailure() default OnStoreFailure.DEFAULT;

}
