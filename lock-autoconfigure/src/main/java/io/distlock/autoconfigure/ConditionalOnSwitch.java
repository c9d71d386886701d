package io.distlock.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.Conditional;

/**
 * Matches if a property of type {@code boolean} has a value. The value is read as in
 * {@link LockProperties}: {@code on}, {@code yes} and {@code 1} also mean {@code true}.
 * If the value is neither true nor false, the property counts as not set. The properties
 * are then bound and refuse the value.
 */
@Target({ ElementType.TYPE, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Conditional(OnSwitchCondition.class)
public @interface ConditionalOnSwitch {

	/**
	 * Returns the name of the property.
	 * @return its full name
	 */
	String name();

	/**
	 * Returns the value that matches.
	 * @return {@code true} by default
	 */
	boolean is() default true;

	/**
	 * Returns the value that counts if the property is not set.
	 * @return the default of the property
	 */
	boolean byDefault();

}
