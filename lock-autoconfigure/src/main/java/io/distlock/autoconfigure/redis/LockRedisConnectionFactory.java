package io.distlock.autoconfigure.redis;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code RedisConnectionFactory} bean of the Redis that keeps the locks, in an
 * application with several. Without it, the only or primary one is used.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface LockRedisConnectionFactory {

	/**
	 * Id of the store under {@code distributed-lock.stores}.
	 * @return by default, all stores on Redis that no other bean is marked for
	 */
	String value() default "";

}
