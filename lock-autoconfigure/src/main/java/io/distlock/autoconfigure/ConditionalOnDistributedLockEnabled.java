package io.distlock.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Matches unless {@code distributed-lock.enabled} is {@code false}. */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ConditionalOnSwitch(name = "distributed-lock.enabled", byDefault = true)
public @interface ConditionalOnDistributedLockEnabled {

}
