package io.distlock.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

import io.distlock.autoconfigure.LockProperties.StoreType;

/**
 * Matches if the application keeps its locks in a store of this type:
 * {@code distributed-lock.store} says so, or it is not set and no other module of a store
 * could keep them. If several could, none matches: locks in different stores do not
 * exclude each other, so there is no order of preference.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnLockStoreCondition.class)
public @interface ConditionalOnLockStore {

	/**
	 * The type of the store.
	 * @return the type
	 */
	StoreType value();

}
