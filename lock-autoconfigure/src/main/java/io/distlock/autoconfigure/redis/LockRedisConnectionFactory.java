package io.distlock.autoconfigure.redis;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.beans.factory.annotation.Qualifier;

/**
 * Marks the {@code RedisConnectionFactory} bean of the Redis that keeps the locks, in an
 * application with several such beans. Without this mark, the locks use the only or
 * primary bean.
 */
@Target({ ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER, ElementType.TYPE, ElementType.ANNOTATION_TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Qualifier
public @interface LockRedisConnectionFactory {

	/**
	 * Returns the id of the store under {@code distributed-lock.stores}.
	 * @return the id; by default, the bean serves all stores on Redis without a marked
	 * bean
	 */
	String value() default "";

}
