package io.distlock.aspectj;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.distlock.DistributedLock;
import io.distlock.FencingToken;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import org.aopalliance.intercept.MethodInterceptor;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Role;
import org.springframework.core.annotation.AliasFor;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** What is woven for the tests, in whatever way. */
final class WovenBeans {

	private WovenBeans() {
	}

	/** The keys of the locks that are held right now, innermost first. */
	static List<String> held() {
		return LockContext.all().stream().map(LockHandle::key).toList();
	}

	static class Stock {

		public List<String> deduct(String sku) {
			return lockedDeduct(sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public List<String> lockedDeduct(String sku) {
			return held();
		}

		@DistributedLock(name = "stock", key = "#sku")
		public List<String> deductTwo(String sku, String other) {
			return lockedDeduct(other);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public List<String> recursive(String sku, String other) {
			return other.isEmpty() ? held() : recursive(other, "");
		}

		public List<String> callPrivate() {
			return hidden("a");
		}

		@DistributedLock(name = "private", key = "#sku")
		private List<String> hidden(String sku) {
			return held();
		}

		@DistributedLock(name = "final")
		public final List<String> unchangeable() {
			return held();
		}

		public boolean callWithToken() {
			return withToken(0) == 0;
		}

		@DistributedLock(name = "token")
		long withToken(@FencingToken long token) {
			return token - LockContext.current().orElseThrow().fencingToken();
		}

		@DistributedLock(name = "wait", waitTime = "0")
		private String impatient() {
			return "ran";
		}

		public String callImpatient() {
			return impatient();
		}

		@DistributedLock(name = "retried")
		public List<String> retried(List<String> attempts) {
			attempts.add(held().toString());
			return attempts;
		}

	}

	@DistributedLock(name = "class")
	static class Shelf {

		public List<String> any() {
			return held();
		}

		public List<String> self() {
			return any();
		}

		List<String> hidden() {
			return held();
		}

		@Override
		public String toString() {
			return held().toString();
		}

	}

	static final class FinalStock {

		@DistributedLock(name = "final class")
		List<String> run() {
			return held();
		}

	}

	static class Metas {

		public List<List<String>> all() {
			return List.of(one("a"), two(), three());
		}

		@StockLock(sku = "#sku")
		private List<String> one(String sku) {
			return held();
		}

		@BookLock
		private List<String> two() {
			return held();
		}

		@SecondHandBookLock
		private List<String> three() {
			return held();
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = "meta")
	@interface StockLock {

		@AliasFor(annotation = DistributedLock.class, attribute = "key")
		String sku();

	}

	@Retention(RetentionPolicy.RUNTIME)
	@StockLock(sku = "'book'")
	@interface BookLock {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@BookLock
	@interface SecondHandBookLock {

	}

	static class Ledger {

		private final Transactions transactions;

		Ledger(Transactions transactions) {
			this.transactions = transactions;
		}

		@Transactional
		@DistributedLock(name = "ledger")
		public List<String> write() {
			return held();
		}

		List<String> atBegin() {
			return this.transactions.atBegin;
		}

	}

	static final class Transactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient List<String> atBegin = new ArrayList<>();

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.atBegin.addAll(held());
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ Stock.class, Shelf.class, FinalStock.class, Metas.class })
	static class Application {

		/** Runs the body twice, between the lock and the body. */
		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static DefaultPointcutAdvisor twice() {
			NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
			pointcut.addMethodName("retried");
			return new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) (invocation) -> {
				((ProxyMethodInvocation) invocation).invocableClone().proceed();
				return invocation.proceed();
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	@Import({ Ledger.class, Transactions.class })
	static class TransactionalApplication {

	}

	interface Api {

		@DistributedLock(name = "api")
		void run();

	}

	static class ApiBean implements Api {

		@Override
		public void run() {
		}

	}

	static class StaticBean {

		@DistributedLock(name = "static")
		static void run() {
		}

	}

	static boolean isProxy(Object bean) {
		return AopUtils.isAopProxy(bean);
	}

	static <T> String textOf(Supplier<T> body) {
		try {
			return "returned " + body.get();
		}
		catch (RuntimeException ex) {
			Throwable root = ex;
			while (root.getCause() != null) {
				root = root.getCause();
			}
			return root.getClass().getSimpleName() + ": " + root.getMessage();
		}
	}

}
