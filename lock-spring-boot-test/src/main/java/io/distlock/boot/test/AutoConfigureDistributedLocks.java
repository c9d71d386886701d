package io.distlock.boot.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Configures locks for a test of a slice or of a whole application, and adds a
 * {@link LockTester} as a bean and as a parameter of test methods. Other values lead to
 * another application context. Properties that the test itself sets win over what this
 * annotation sets.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
@ExtendWith(LockTesterResolver.class)
public @interface AutoConfigureDistributedLocks {

	/**
	 * Limits how long callers wait for a busy lock, whatever the lock's own wait time is.
	 * A test in which callers take turns may need more. Does not count if the application
	 * declares its own {@code LockSettings} bean.
	 * @return a duration such as {@code 200ms}, {@code 0} for a single attempt
	 */
	String waitTime() default "200ms";

	/**
	 * Chooses where the locks are.
	 * @return the place
	 */
	Store store() default Store.MEMORY;

	/** The places for the locks of a test. */
	enum Store {

		/**
		 * The memory of the application context, also for the further stores of
		 * {@code distributed-lock.stores}. No server is needed. A {@code LockStore} bean
		 * of the application stays in use.
		 */
		MEMORY,

		/** Where the configuration of the application says. */
		CONFIGURED

	}

}
