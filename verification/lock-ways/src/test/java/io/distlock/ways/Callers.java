package io.distlock.ways;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

import io.distlock.DistributedLock;
import io.distlock.ways.Declarations.OnMethod;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.MethodInvokingBean;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.data.redis.connection.DefaultMessage;
import org.springframework.data.redis.listener.adapter.MessageListenerAdapter;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Retryable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.validation.annotation.Validated;
import org.springframework.validation.beanvalidation.MethodValidationPostProcessor;

/** Who calls the method. The annotation is on the method of a component. */
final class Callers {

	private static final String OTHER_BEAN = "another bean, `ObjectProvider` of the own type, or `LockTemplate`";

	private static final String WHEN_READY = "an `ApplicationRunner`, a listener of "
			+ "`ApplicationReadyEvent`, `SmartLifecycle.start()`; or `LockTemplate` in the body";

	private static final String BEFORE_THE_END = "a listener of `ContextClosedEvent`";

	private Callers() {
	}

	static Stream<Way> ways() {
		return Stream.of(beans(), lifecycle(), events(), neighbours()).flatMap((ways) -> ways);
	}

	private static Stream<Way> beans() {
		return Stream.of(way("another bean").with(OnMethod.class).calls((app) -> app.getBean(OnMethod.class).work()),
				way("its own bean").instead(OTHER_BEAN)
					.with(SelfCaller.class)
					.calls((app) -> app.getBean(SelfCaller.class).call()),
				way("its own lambda").instead(OTHER_BEAN)
					.with(SelfCaller.class)
					.calls((app) -> app.getBean(SelfCaller.class).callLater()),
				way("its subclass").instead(OTHER_BEAN)
					.with(SubCaller.class)
					.calls((app) -> app.getBean(SubCaller.class).call()),
				way("a default method of its interface").instead(OTHER_BEAN)
					.with(DefaultCaller.class)
					.calls((app) -> app.getBean(DefaultCaller.class).call()),
				way("its own Kotlin bean").instead(OTHER_BEAN)
					.with(KotlinWork.class)
					.calls((app) -> app.getBean(KotlinWork.class).callsItself()),
				way("its own `suspend` function").instead(OTHER_BEAN)
					.with(SuspendWork.class)
					.calls((app) -> SuspendWork.callInside(app.getBean(SuspendWork.class))),
				way("its own class in a package of Spring").instead(OTHER_BEAN)
					.with(org.springframework.samples.ways.SelfCallingOwners.class)
					.calls((app) -> app.getBean(org.springframework.samples.ways.SelfCallingOwners.class).call()),
				way("its own bean through `ObjectProvider`").with(ProviderCaller.class)
					.calls((app) -> app.getBean(ProviderCaller.class).call()),
				way("its constructor").instead(OTHER_BEAN).with(ConstructorCaller.class).alone(),
				way("the constructor of another bean").with(OnMethod.class, Client.class).alone(),
				way("an expression").with(OnMethod.class, Expression.class).alone(),
				way("a `MethodInvokingBean`").with(OnMethod.class, Invoking.class).alone());
	}

	private static Stream<Way> lifecycle() {
		return Stream.of(way("`@PostConstruct`").instead(WHEN_READY).with(Constructed.class).alone(),
				way("`@PostConstruct` of a superclass").instead(WHEN_READY).with(ConstructedHeir.class).alone(),
				way("`@PostConstruct`, the annotation is on the class").instead(WHEN_READY)
					.with(ConstructedClass.class)
					.alone(),
				way("`@PostConstruct` of a prototype").instead(WHEN_READY)
					.with(ConstructedPrototype.class)
					.calls((app) -> app.getBean(ConstructedPrototype.class)),
				way("`@PostConstruct` of an inner bean").instead(WHEN_READY)
					.before(Makings.innerBean(Constructed.class))
					.alone(),
				way("`afterPropertiesSet`").instead(WHEN_READY).with(Initializing.class).alone(),
				way("`afterPropertiesSet` of a superclass").instead(WHEN_READY).with(InitializingHeir.class).alone(),
				way("`afterPropertiesSet`, the annotation is on the class").instead(WHEN_READY)
					.with(InitializingClass.class)
					.alone(),
				way("`initMethod`").instead(WHEN_READY).with(InitMethod.class).alone(),
				way("`@PreDestroy`").instead(BEFORE_THE_END).with(Destroyed.class).alone(),
				way("`DisposableBean.destroy`").instead(BEFORE_THE_END).with(Disposable.class).alone(),
				way("`destroyMethod`").instead(BEFORE_THE_END).with(DestroyMethod.class).alone(),
				way("`close` that Spring finds").instead(BEFORE_THE_END).with(Inferred.class).alone(),
				way("`shutdown` that Spring finds").instead(BEFORE_THE_END).with(InferredShutdown.class).alone(),
				way("`close` of an `AutoCloseable`").instead(BEFORE_THE_END).with(Closeable.class).alone(),
				way("`close` of a prototype").with(CloseablePrototype.class)
					.calls((app) -> app.getBean(CloseablePrototype.class).close()),
				way("an `@Autowired` method").instead(WHEN_READY).with(OnMethod.class, Injected.class).alone(),
				way("an `Aware` method").instead(WHEN_READY).with(Aware.class).alone(),
				way("`SmartInitializingSingleton`").with(Singleton.class).alone(),
				way("`SmartLifecycle.start`").with(Starting.class).alone(),
				way("`SmartLifecycle.stop()`").instead("`SmartLifecycle.stop(Runnable)`; " + BEFORE_THE_END)
					.with(Stopping.class)
					.alone(),
				way("`SmartLifecycle.stop(Runnable)`").with(StoppingAsync.class).alone(),
				way("an `ApplicationRunner`").with(Runner.class).alone(),
				way("a `CommandLineRunner`").with(LineRunner.class).alone());
	}

	private static Stream<Way> events() {
		return Stream.of(way("an `@EventListener`").with(Listener.class).calls((app) -> app.publishEvent("event")),
				way("an `ApplicationListener`").with(OldListener.class).alone(),
				way("a listener of `ApplicationReadyEvent`").with(Ready.class).alone(),
				way("a listener of `ContextClosedEvent`").with(Closed.class).alone(),
				way("an `@Async @EventListener`").with(Asynchronous.class, AsyncListener.class)
					.calls((app) -> app.getBean(AsyncListener.class).await(app)),
				transactional("BEFORE_COMMIT", BeforeCommit.class), transactional("AFTER_COMMIT", AfterCommit.class),
				transactional("AFTER_ROLLBACK", AfterRollback.class),
				transactional("AFTER_COMPLETION", AfterCompletion.class),
				way("a listener of messages").with(Receiver.class).calls((app) -> receive(app.getBean(Receiver.class))),
				way("`@Scheduled`").with(Scheduling.class, Job.class)
					.calls((app) -> app.getBean(Job.class).ran().await()));
	}

	private static Stream<Way> neighbours() {
		return Stream.of(
				way("`@Async`").with(Asynchronous.class, AsyncWork.class)
					.calls((app) -> app.getBean(AsyncWork.class).work().join()),
				way("`@Retryable` of spring-retry").with(Retrying.class, RetriedWork.class)
					.calls((app) -> app.getBean(RetriedWork.class).work()),
				way("`@Cacheable`").with(Caching.class, CachedWork.class)
					.calls((app) -> app.getBean(CachedWork.class).work()),
				way("`@PreAuthorize`").with(Security.class, SecureWork.class)
					.calls((app) -> app.getBean(SecureWork.class).work()),
				way("`@Transactional`").with(Transactions.class, TransactionalWork.class)
					.calls((app) -> app.getBean(TransactionalWork.class).work()),
				way("`@Validated`").with(Validation.class, ValidatedWork.class)
					.calls((app) -> app.getBean(ValidatedWork.class).work()));
	}

	private static void receive(Receiver receiver) {
		MessageListenerAdapter listener = new MessageListenerAdapter(receiver, "work");
		listener.afterPropertiesSet();
		listener.onMessage(new DefaultMessage("x".getBytes(), "x".getBytes()), null);
	}

	private static Way transactional(String phase, Class<?> listener) {
		return way("`@TransactionalEventListener`, " + phase).with(Transactions.class, listener)
			.calls((app) -> new TransactionTemplate(app.getBean(PlatformTransactionManager.class))
				.executeWithoutResult((status) -> {
					app.publishEvent("event");
					if (listener == AfterRollback.class) {
						status.setRollbackOnly();
					}
				}));
	}

	private static Way.Builder way(String text) {
		return Way.of(Way.CALLED, text);
	}

	static class SelfCaller {

		String call() {
			return work();
		}

		void callLater() {
			Stream.of("x").forEach((each) -> work());
		}

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class SubCaller extends OnMethod {

		String call() {
			return super.work();
		}

	}

	interface CallingInterface {

		String work();

		default String call() {
			return work();
		}

	}

	static class DefaultCaller implements CallingInterface {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class ProviderCaller {

		private final ObjectProvider<ProviderCaller> self;

		ProviderCaller(ObjectProvider<ProviderCaller> self) {
			this.self = self;
		}

		String call() {
			return this.self.getObject().work();
		}

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class ConstructorCaller {

		ConstructorCaller() {
			work();
		}

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class Client {

		Client(OnMethod other) {
			other.work();
		}

	}

	static class Expression {

		@Value("#{@'declarations.OnMethod'.work()}")
		private String done;

	}

	@Configuration(proxyBeanMethods = false)
	static class Invoking {

		@Bean
		MethodInvokingBean invoking(OnMethod work) {
			MethodInvokingBean invoking = new MethodInvokingBean();
			invoking.setTargetObject(work);
			invoking.setTargetMethod("work");
			return invoking;
		}

	}

	static class Constructed {

		@PostConstruct
		@DistributedLock(name = Witness.LOCK)
		public void work() {
			Witness.work();
		}

	}

	static class ConstructedBase {

		@PostConstruct
		public void work() {
			Witness.work();
		}

	}

	static class ConstructedHeir extends ConstructedBase {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void work() {
			Witness.work();
		}

	}

	@DistributedLock(name = Witness.LOCK)
	static class ConstructedClass {

		@PostConstruct
		public void work() {
			Witness.work();
		}

	}

	@Scope("prototype")
	static class ConstructedPrototype extends Constructed {

	}

	static class Initializing implements InitializingBean {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void afterPropertiesSet() {
			Witness.work();
		}

	}

	static class InitializingBase implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
		}

	}

	static class InitializingHeir extends InitializingBase {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void afterPropertiesSet() {
			Witness.work();
		}

	}

	@DistributedLock(name = Witness.LOCK)
	static class InitializingClass implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InitMethod {

		@Bean(initMethod = "work")
		OnMethod work() {
			return new OnMethod();
		}

	}

	static class Destroyed {

		@PreDestroy
		@DistributedLock(name = Witness.LOCK)
		public void work() {
			Witness.work();
		}

	}

	static class Disposable implements DisposableBean {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void destroy() {
			Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DestroyMethod {

		@Bean(destroyMethod = "work")
		OnMethod work() {
			return new OnMethod();
		}

	}

	static class Closing {

		@DistributedLock(name = Witness.LOCK)
		public void close() {
			Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Inferred {

		@Bean
		Closing closing() {
			return new Closing();
		}

	}

	static class ShuttingDown {

		@DistributedLock(name = Witness.LOCK)
		public void shutdown() {
			Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class InferredShutdown {

		@Bean
		ShuttingDown shuttingDown() {
			return new ShuttingDown();
		}

	}

	static class Closeable implements AutoCloseable {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void close() {
			Witness.work();
		}

	}

	@Scope("prototype")
	static class CloseablePrototype extends Closeable {

	}

	static class Injected {

		@Autowired
		@DistributedLock(name = Witness.LOCK)
		public void work(OnMethod other) {
			Witness.work();
		}

	}

	static class Aware implements ApplicationContextAware {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void setApplicationContext(ApplicationContext context) {
			Witness.work();
		}

	}

	static class Singleton implements SmartInitializingSingleton {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void afterSingletonsInstantiated() {
			Witness.work();
		}

	}

	static class Lifecycle implements SmartLifecycle {

		private boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

	}

	static class Starting extends Lifecycle {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void start() {
			Witness.work();
			super.start();
		}

	}

	static class Stopping extends Lifecycle {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void stop() {
			Witness.work();
			super.stop();
		}

	}

	static class StoppingAsync extends Lifecycle {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void stop(Runnable callback) {
			Witness.work();
			super.stop(callback);
		}

	}

	static class Runner implements ApplicationRunner {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void run(ApplicationArguments arguments) {
			Witness.work();
		}

	}

	static class LineRunner implements CommandLineRunner {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void run(String... arguments) {
			Witness.work();
		}

	}

	static class Listener {

		@EventListener
		@DistributedLock(name = Witness.LOCK)
		public void work(String event) {
			Witness.work();
		}

	}

	static class OldListener implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		@DistributedLock(name = Witness.LOCK)
		public void onApplicationEvent(ContextRefreshedEvent event) {
			Witness.work();
		}

	}

	static class Ready {

		@EventListener
		@DistributedLock(name = Witness.LOCK)
		public void work(ApplicationReadyEvent event) {
			Witness.work();
		}

	}

	static class Closed {

		@EventListener
		@DistributedLock(name = Witness.LOCK)
		public void work(ContextClosedEvent event) {
			Witness.work();
		}

	}

	static class Receiver {

		@DistributedLock(name = Witness.LOCK)
		public void work(String message) {
			Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync(proxyTargetClass = true)
	static class Asynchronous {

	}

	static class AsyncListener {

		private final CountDownLatch ran = new CountDownLatch(1);

		@Async
		@EventListener
		@DistributedLock(name = Witness.LOCK)
		public void work(String event) {
			Witness.work();
			this.ran.countDown();
		}

		void await(ApplicationContext app) throws InterruptedException {
			app.publishEvent("event");
			this.ran.await();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class Transactions {

		@Bean
		PlatformTransactionManager transactions() {
			return new NoTransactions();
		}

	}

	/** Begins and ends transactions without a resource. */
	static class NoTransactions extends AbstractPlatformTransactionManager {

		private static final long serialVersionUID = 1L;

		@Override
		protected Object doGetTransaction() {
			return this;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

	static class BeforeCommit {

		@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
		@DistributedLock(name = Witness.LOCK)
		public void work(String event) {
			Witness.work();
		}

	}

	static class AfterCommit {

		@TransactionalEventListener
		@DistributedLock(name = Witness.LOCK)
		public void work(String event) {
			Witness.work();
		}

	}

	static class AfterRollback {

		@TransactionalEventListener(phase = TransactionPhase.AFTER_ROLLBACK)
		@DistributedLock(name = Witness.LOCK)
		public void work(String event) {
			Witness.work();
		}

	}

	static class AfterCompletion {

		@TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
		@DistributedLock(name = Witness.LOCK)
		public void work(String event) {
			Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Scheduling {

	}

	static class Job {

		private final CountDownLatch ran = new CountDownLatch(1);

		@Scheduled(fixedDelay = Long.MAX_VALUE)
		@DistributedLock(name = Witness.LOCK)
		public void work() {
			Witness.work();
			this.ran.countDown();
		}

		CountDownLatch ran() {
			return this.ran;
		}

	}

	static class AsyncWork {

		@Async
		@DistributedLock(name = Witness.LOCK)
		public CompletableFuture<String> work() {
			return CompletableFuture.completedFuture(Witness.work());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableRetry(proxyTargetClass = true)
	static class Retrying {

	}

	static class RetriedWork {

		private boolean failed;

		@Retryable
		@DistributedLock(name = Witness.LOCK)
		public String work() {
			Witness.work();
			if (!this.failed) {
				this.failed = true;
				throw new IllegalStateException("The first attempt fails");
			}
			return "done";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching(proxyTargetClass = true)
	static class Caching {

		@Bean
		ConcurrentMapCacheManager caches() {
			return new ConcurrentMapCacheManager();
		}

	}

	static class CachedWork {

		@Cacheable("work")
		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMethodSecurity(proxyTargetClass = true)
	static class Security {

	}

	static class SecureWork {

		@PreAuthorize("permitAll()")
		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class TransactionalWork {

		@Transactional
		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Validation {

		@Bean
		static MethodValidationPostProcessor validation() {
			MethodValidationPostProcessor validation = new MethodValidationPostProcessor();
			validation.setProxyTargetClass(true);
			return validation;
		}

	}

	@Validated
	static class ValidatedWork {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

}
