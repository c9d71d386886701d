package io.distlock.spring.intercept;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.function.Supplier;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.context.annotation.AdviceMode;

import io.distlock.LockTemplate;
import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.definition.LockAnnotations;

/**
 * Makes proxies run annotated methods under their lock. Register it as an infrastructure
 * bean next to any auto-proxy creator.
 */
public final class LockAdvisor extends StaticMethodMatcherPointcutAdvisor {

	private static final long serialVersionUID = 1L;

	private final transient Invokers invokers;

	/**
	 * Creates an advisor.
	 * @param invokers run the annotated methods
	 * @param template acquires the locks; looked up at the first call
	 * @param mode whether the methods may be woven as well; if so, calls that a proxy has
	 * locked must be marked
	 */
	public LockAdvisor(Invokers invokers, Supplier<LockTemplate> template, AdviceMode mode) {
		super(new LockInterceptor(invokers, template, mode == AdviceMode.ASPECTJ));
		this.invokers = invokers;
		setOrder(EnableDistributedLocks.DEFAULT_ORDER);
		// A final class cannot have a class proxy, and a woven class needs none.
		setClassFilter((type) -> LockAnnotations.isCandidate(type)
				&& !(mode == AdviceMode.ASPECTJ && Modifier.isFinal(type.getModifiers())));
	}

	/**
	 * Returns what runs the annotated methods.
	 * @return the invokers
	 */
	public Invokers invokers() {
		return this.invokers;
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return LockAnnotations.find(method, targetClass) != null;
	}

}
