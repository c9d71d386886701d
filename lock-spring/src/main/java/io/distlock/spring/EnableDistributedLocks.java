package io.distlock.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;

/**
 * Runs methods annotated with {@link io.distlock.DistributedLock} or
 * {@link io.distlock.DistributedSemaphore} under their lock, in an application context
 * without Spring Boot. Use it on a {@code @Configuration} class. The context needs one
 * bean of type {@link io.distlock.LockTemplate}:
 *
 * <pre>
 * &#64;Configuration
 * &#64;EnableDistributedLocks
 * class LockConfiguration {
 *
 *     &#64;Bean
 *     CloseableLockTemplate lockTemplate(LockStore store, ApplicationEventPublisher events) {
 *         return LockTemplateBuilder.forStore(store).observer(new LockEventPublisher(events)).build();
 *     }
 *
 * }
 * </pre>
 *
 * The context does not start if an annotated method could run without its lock. Calls
 * within a bean, which bypass its proxy, are warned of. If Spring's transactions are on
 * the class path, a transaction does not commit after a lock of its method was lost.
 * <p>
 * Spring Boot applications do not need this annotation. If it is present there, the
 * properties {@code distributed-lock.*} apply, and the application does not start if an
 * attribute contradicts them.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Import(DistributedLocksSelector.class)
public @interface EnableDistributedLocks {

	/**
	 * The default order of the lock among the proxies' other advice. The lock is inside
	 * of Spring Security, whose orders are 100 to 600, so that a caller without the right
	 * never waits. It is outside of advice with the lowest precedence, which is the
	 * default of transactions, so that a lock outlives the commit. The room in between is
	 * for advice that must run inside of the lock and outside of transactions.
	 */
	int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	/**
	 * Chooses what intercepts the calls: proxies, or also code that AspectJ weaves into
	 * the methods. Weaving needs {@code lock-aspectj}. Proxies do not see calls within
	 * the same bean.
	 * @return the mode
	 */
	AdviceMode mode() default AdviceMode.PROXY;

	/**
	 * Returns the order of the lock among the proxies' other advice. Advice of a higher
	 * order runs inside of the lock.
	 * @return the order
	 */
	int order() default DEFAULT_ORDER;

	/**
	 * Returns whether all proxies of the context extend the bean's class. Otherwise a
	 * proxy implements the bean's interfaces, if it has any.
	 * @return {@code true} for class proxies
	 */
	boolean proxyTargetClass() default false;

	/**
	 * Returns whether a transaction rolls back instead of committing after a lock of its
	 * method was lost.
	 * @return {@code true} to check before each commit
	 */
	boolean commitGuard() default true;

}
