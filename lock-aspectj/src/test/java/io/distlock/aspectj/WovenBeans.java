package io.distlock.aspectj;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.FencingToken;
import io.distlock.LockBusyException;
import io.distlock.LockContext;
import io.distlock.LockHandle;
import io.distlock.OnBusy;
import io.distlock.spring.ReactiveLockContext;

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
	@Import({ Stock.class, Shelf.class, FinalStock.class, Metas.class, Late.class })
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

	/** What returns before its work is done, and what happens instead of the work. */
	static class Late {

		@DistributedLock(name = "stage", key = "#sku")
		private CompletableFuture<String> stage(String sku, CompletableFuture<String> work, @FencingToken long token) {
			String held = held() + same(LockContext.current().orElseThrow(), token);
			return work.thenApply((done) -> held + done);
		}

		public CompletableFuture<String> callStage(CompletableFuture<String> work) {
			return stage("a", work, 0);
		}

		@DistributedLock(name = "stage", key = "#sku")
		public CompletableFuture<String> publicStage(String sku, CompletableFuture<String> work) {
			String held = held().toString();
			return work.thenApply((done) -> held + done);
		}

		@Counted
		@DistributedLock(name = "stage", key = "#sku")
		public CompletableFuture<String> counted(String sku, CompletableFuture<String> work) {
			String held = held().toString();
			return work.thenApply((done) -> held + done);
		}

		@DistributedLock(name = "mono", key = "#sku")
		private Mono<String> mono(String sku, CompletableFuture<String> work, @FencingToken long token) {
			return Mono.fromFuture(work)
				.zipWith(ReactiveLockContext.current(), (done, lock) -> lock.key() + same(lock, token) + done);
		}

		public Mono<String> callMono(CompletableFuture<String> work) {
			return mono("a", work, 0);
		}

		@Counted
		@DistributedLock(name = "flux", key = "#sku")
		public Flux<String> flux(String sku, CompletableFuture<String> work) {
			return Mono.fromFuture(work)
				.zipWith(ReactiveLockContext.current(), (done, lock) -> lock.key() + done)
				.repeat(1);
		}

		private static String same(LockHandle lock, long token) {
			return (lock.fencingToken() == token) ? " " : " other token ";
		}

		@DistributedLock(name = "wait", waitTime = "0", onBusy = OnBusy.SKIP, skipValue = "-1")
		private int skipped() {
			return 1;
		}

		@DistributedLock(name = "wait", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "instead")
		private String replaced(String sku) {
			return "ran";
		}

		private String instead(String sku, LockBusyException busy) {
			return "instead of " + sku + " " + busy.key() + held();
		}

		@DistributedLock(name = "wait", waitTime = "0", onBusy = OnBusy.SKIP)
		private CompletableFuture<String> skippedStage() {
			return CompletableFuture.completedFuture("ran");
		}

		@DistributedLock(name = "wait", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "monoInstead")
		private Mono<String> replacedMono() {
			return Mono.just("ran");
		}

		private Mono<String> monoInstead() {
			return Mono.just("instead");
		}

		public List<Object> refused() {
			return Arrays.asList(skipped(), replaced("a"), skippedStage().join(), replacedMono().block());
		}

		@DistributedSemaphore(name = "permits", permits = "2", waitTime = "0")
		private String permit(Supplier<String> inside) {
			return inside.get();
		}

		public String permits() {
			return permit(() -> permit(() -> "two" + held()));
		}

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

	@Configuration(proxyBeanMethods = false)
	@Import(AsyncBean.class)
	static class AsyncApplication {

		/**
		 * Stands for {@code @EnableAsync(mode = ASPECTJ)}, for which it has to be there.
		 */
		@Bean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME)
		String aspect() {
			return "woven";
		}

	}

	static class AsyncBean {

		@Async
		@DistributedLock(name = "async")
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
