package io.distlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the parameter of a {@link DistributedLock} method that gets the
 * {@linkplain LockHandle#fencingToken() fencing token} of the lock. The parameter must be
 * a {@code long} or a {@link Long}. A method has at most one. The token replaces the
 * value that the caller passes:
 *
 * <pre>
 * &#64;DistributedLock(name = "price", key = "#sku")
 * public void publish(String sku, BigDecimal price, &#64;FencingToken long token) { … }
 *
 * prices.publish("book", price, 0);
 * </pre>
 *
 * A positive token proves that the method was called under its lock. If the call passed
 * no proxy, or if the lock is switched off, the method gets the caller's value. Let this
 * value be 0, because every fence refuses 0.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FencingToken {

}
