package io.distlock;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the parameter of a {@link DistributedLock} method that gets the
 * {@linkplain LockHandle#fencingToken() fencing token} of the lock. It must be a
 * {@code long} or a {@link Long}, at most one in a method; what the caller passes is
 * replaced:
 *
 * <pre>
 * &#64;DistributedLock(name = "price", key = "#sku")
 * public void publish(String sku, BigDecimal price, &#64;FencingToken long token) { … }
 *
 * prices.publish("book", price, 0);
 * </pre>
 *
 * A positive token proves that the method was called under its lock. Where it was not,
 * because the call passed no proxy or the lock is switched off, the caller's value
 * arrives: let it be 0, which every fence refuses.
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface FencingToken {

}
