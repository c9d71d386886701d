package io.distlock.benchmark.jmh;

import java.lang.reflect.Method;
import java.util.Map;

import org.aopalliance.intercept.MethodInterceptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import io.distlock.LockTemplate;
import io.distlock.OnStoreFailure;
import io.distlock.spring.definition.LockedMethods;
import io.distlock.spring.intercept.Invokers;
import io.distlock.spring.intercept.LockAdvisor;

/** What the annotation adds to a call when the lock itself costs nothing. */
@State(Scope.Benchmark)
public class AdviceBenchmark {

	private static final StockItem ITEM = new StockItem("book");

	private AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private StockService service = new StockService();

	/** Starts the application. */
	@Setup
	public void start() {
		LockTemplate template = new FreeLockTemplate();
		ConfigurableListableBeanFactory beans = this.context.getBeanFactory();
		this.context.registerBean(DefaultAdvisorAutoProxyCreator.class, AdviceBenchmark::proxyCreator);
		this.context.registerBean("locked", Advisor.class,
				() -> new LockAdvisor(new Invokers(new LockedMethods(beans, Map.of()), beans, OnStoreFailure.FAIL),
						() -> template, AdviceMode.PROXY));
		this.context.registerBean("empty", Advisor.class, EmptyAdvisor::new);
		this.context.registerBean(StockService.class);
		this.context.refresh();
		this.service = this.context.getBean(StockService.class);
	}

	private static DefaultAdvisorAutoProxyCreator proxyCreator() {
		DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
		creator.setProxyTargetClass(true);
		return creator;
	}

	/** Ends the application. */
	@TearDown
	public void stop() {
		this.context.close();
	}

	/**
	 * An advice that only proceeds.
	 * @return keeps the call alive
	 */
	@Benchmark
	public int emptyAdvice() {
		return this.service.advised(ITEM);
	}

	/**
	 * A lock with a constant name.
	 * @return keeps the call alive
	 */
	@Benchmark
	public int lockedByName() {
		return this.service.lockedByName(ITEM);
	}

	/**
	 * A lock whose key is computed from an argument.
	 * @return keeps the call alive
	 */
	@Benchmark
	public int lockedByExpression() {
		return this.service.lockedByExpression(ITEM);
	}

	/** Does nothing around one method. */
	private static final class EmptyAdvisor extends StaticMethodMatcherPointcutAdvisor {

		private static final long serialVersionUID = 1L;

		EmptyAdvisor() {
			super((MethodInterceptor) (invocation) -> invocation.proceed());
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return targetClass == StockService.class && method.getName().equals("advised");
		}

	}

}
