package io.distlock.ways;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.distlock.DistributedLock;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.data.annotation.Id;
import org.springframework.data.keyvalue.repository.KeyValueRepository;
import org.springframework.data.map.repository.config.EnableMapRepositories;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.samples.ways.Owners;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpExchangeAdapter;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** Where the annotation is. Another bean calls the method. */
final class Declarations {

	private static final String OPEN = "no `final`, in Kotlin `open`; or `LockTemplate` in the body";

	private Declarations() {
	}

	static Stream<Way> ways() {
		return Stream.of(way("a method").with(OnMethod.class).calls((app) -> app.getBean(OnMethod.class).work()),
				way("a protected or package-private method").with(Narrow.class).calls((app) -> {
					app.getBean(Narrow.class).workOfPackage();
					app.getBean(Narrow.class).workOfHeirs();
				}), way("a class").with(OnClass.class).calls((app) -> app.getBean(OnClass.class).work()),
				way("a method of an interface").with(OfInterface.class)
					.calls((app) -> app.getBean(InterfaceMethod.class).work()),
				way("an interface").with(OfAnnotated.class)
					.calls((app) -> app.getBean(AnnotatedInterface.class).work()),
				way("an interface, the method comes from its parent").with(OfChild.class)
					.calls((app) -> app.getBean(ChildInterface.class).work()),
				way("an interface, the method comes from its generic parent").with(OfGenericChild.class)
					.calls((app) -> app.getBean(GenericChild.class).work("x")),
				way("an interface, a superclass implements the method").with(OfBase.class)
					.calls((app) -> app.getBean(AnnotatedInterface.class).work()),
				way("a generic interface").with(OfGeneric.class).calls((app) -> app.getBean(OfGeneric.class).work("x")),
				way("a method of a generic interface").with(OfGenericMethod.class)
					.calls((app) -> app.getBean(OfGenericMethod.class).work("x")),
				way("a default method of an interface").with(OfDefault.class)
					.calls((app) -> app.getBean(DefaultMethod.class).work()),
				way("a method of a superclass").with(Heir.class).calls((app) -> app.getBean(Heir.class).work()),
				way("a superclass").with(HeirOfClass.class).calls((app) -> app.getBean(HeirOfClass.class).work()),
				way("a method of a generic superclass").with(HeirOfGeneric.class)
					.calls((app) -> app.getBean(GenericBase.class).work("x")),
				way("an overridden method of a superclass").with(Overriding.class)
					.calls((app) -> app.getBean(Overriding.class).work()),
				way("an annotation of your own").with(OnOwn.class).calls((app) -> app.getBean(OnOwn.class).work()),
				way("a method that returns a stage").with(OfStage.class)
					.calls((app) -> app.getBean(OfStage.class).work().join()),
				way("a method that returns a `Mono`").with(OfMono.class)
					.calls((app) -> app.getBean(OfMono.class).work().block()),
				way("the interface of a lambda").with(LambdaConfiguration.class)
					.calls((app) -> app.getBean(InterfaceMethod.class).work()),
				way("a method of a package of Spring").with(Owners.class)
					.calls((app) -> app.getBean(Owners.class).work()),
				way("a Kotlin method").with(KotlinWork.class).calls((app) -> app.getBean(KotlinWork.class).work()),
				way("a Kotlin method with default arguments").with(KotlinWork.class)
					.calls((app) -> KotlinWork.callDefault(app.getBean(KotlinWork.class))),
				way("a `suspend` function").with(SuspendWork.class)
					.calls((app) -> SuspendWork.call(app.getBean(SuspendWork.class))),
				way("a query of a Spring Data repository").with(Repositories.class)
					.calls((app) -> WorkingMap.during(() -> app.getBean(Items.class).findByName("x"))),
				way("a default method of a Spring Data repository").with(Repositories.class)
					.calls((app) -> app.getBean(Items.class).work()),
				way("a Spring Data repository, an inherited method").with(Repositories.class)
					.calls((app) -> WorkingMap.during(() -> app.getBean(LockedItems.class).save(new Item()))),
				way("a method of an `@HttpExchange` interface").with(HttpConfiguration.class)
					.calls((app) -> app.getBean(Http.class).work()),
				way("an `@HttpExchange` interface").with(HttpConfiguration.class)
					.calls((app) -> app.getBean(LockedHttp.class).call()),
				way("a method of an interface, proxies of interfaces").with("spring.aop.proxy-target-class=false")
					.with(OfInterface.class)
					.calls((app) -> app.getBean(InterfaceMethod.class).work()),
				way("a method that is not on the interface, proxies of interfaces")
					.instead("`spring.aop.proxy-target-class=true`")
					.with("spring.aop.proxy-target-class=false")
					.with(OffInterface.class)
					.alone(),
				way("a private method").instead("public; or `LockTemplate` in the body").with(OnPrivate.class).alone(),
				way("a static method").instead("an instance method; or `LockTemplate` in the body")
					.with(OnStatic.class)
					.alone(),
				way("a final method").instead(OPEN).with(OnFinal.class).alone(),
				way("a Kotlin method that is not `open`").instead(OPEN).with(FinalKotlinWork.class).alone(),
				way("a final class").instead(OPEN).with(FinalClass.class).alone(),
				way("a record").instead("a class; or `LockTemplate` in the body").with(OfRecord.class).alone());
	}

	private static Way.Builder way(String text) {
		return Way.of(Way.DECLARED, text);
	}

	static class OnMethod {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	static class Narrow {

		@DistributedLock(name = Witness.LOCK)
		void workOfPackage() {
			Witness.work();
		}

		@DistributedLock(name = Witness.LOCK)
		protected void workOfHeirs() {
			Witness.work();
		}

	}

	@DistributedLock(name = Witness.LOCK)
	static class OnClass {

		public String work() {
			return Witness.work();
		}

	}

	interface InterfaceMethod {

		@DistributedLock(name = Witness.LOCK)
		String work();

	}

	static class OfInterface implements InterfaceMethod {

		@Override
		public String work() {
			return Witness.work();
		}

	}

	interface PlainInterface {

		String work();

	}

	@DistributedLock(name = Witness.LOCK)
	interface AnnotatedInterface extends PlainInterface {

		@Override
		String work();

	}

	static class OfAnnotated implements AnnotatedInterface {

		@Override
		public String work() {
			return Witness.work();
		}

	}

	@DistributedLock(name = Witness.LOCK)
	interface ChildInterface extends PlainInterface {

	}

	static class OfChild implements ChildInterface {

		@Override
		public String work() {
			return Witness.work();
		}

	}

	interface GenericInterface<T> {

		T work(T value);

	}

	@DistributedLock(name = Witness.LOCK)
	interface GenericChild extends GenericInterface<String> {

	}

	static class OfGenericChild implements GenericChild {

		@Override
		public String work(String value) {
			return Witness.work();
		}

	}

	static class PlainBase {

		public String work() {
			return Witness.work();
		}

	}

	static class OfBase extends PlainBase implements AnnotatedInterface {

	}

	@DistributedLock(name = Witness.LOCK)
	interface AnnotatedGeneric<T> {

		T work(T value);

	}

	static class OfGeneric implements AnnotatedGeneric<String> {

		@Override
		public String work(String value) {
			return Witness.work();
		}

	}

	interface GenericMethod<T> {

		@DistributedLock(name = Witness.LOCK)
		T work(T value);

	}

	static class OfGenericMethod implements GenericMethod<String> {

		@Override
		public String work(String value) {
			return Witness.work();
		}

	}

	interface DefaultMethod {

		@DistributedLock(name = Witness.LOCK)
		default String work() {
			return Witness.work();
		}

	}

	static class OfDefault implements DefaultMethod {

	}

	static class Heir extends OnMethod {

	}

	static class HeirOfClass extends OnClass {

	}

	static class GenericBase<T> {

		@DistributedLock(name = Witness.LOCK)
		public String work(T value) {
			return Witness.work();
		}

	}

	static class HeirOfGeneric extends GenericBase<String> {

		@Override
		public String work(String value) {
			return Witness.work();
		}

	}

	static class Overriding extends OnMethod {

		@Override
		public String work() {
			return Witness.work();
		}

	}

	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@DistributedLock(name = Witness.LOCK)
	@interface OwnLock {

	}

	static class OnOwn {

		@OwnLock
		public String work() {
			return Witness.work();
		}

	}

	static class OfStage {

		@DistributedLock(name = Witness.LOCK)
		public CompletableFuture<String> work() {
			return CompletableFuture.completedFuture(Witness.work());
		}

	}

	static class OfMono {

		@DistributedLock(name = Witness.LOCK)
		public Mono<String> work() {
			return Mono.fromSupplier(Witness::work);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LambdaConfiguration {

		@Bean
		InterfaceMethod lambda() {
			return Witness::work;
		}

	}

	static class Item {

		@Id
		@Nullable String id;

		@Nullable String name;

	}

	/** Where the repositories keep their items. Each access is work. */
	public static class WorkingMap extends ConcurrentHashMap<Object, Object> {

		private static final long serialVersionUID = 1L;

		private static volatile boolean called;

		/** Calls a repository, which also uses the map when it starts and ends. */
		static void during(Runnable call) {
			called = true;
			call.run();
			called = false;
		}

		@Override
		public Collection<Object> values() {
			work();
			return super.values();
		}

		@Override
		public @Nullable Object put(Object key, Object value) {
			work();
			return super.put(key, value);
		}

		private static void work() {
			if (called) {
				Witness.work();
			}
		}

	}

	interface Items extends KeyValueRepository<Item, String> {

		@DistributedLock(name = Witness.LOCK)
		List<Item> findByName(String name);

		@DistributedLock(name = Witness.LOCK)
		default String work() {
			return Witness.work();
		}

	}

	@DistributedLock(name = Witness.LOCK)
	interface LockedItems extends KeyValueRepository<Item, String> {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableMapRepositories(considerNestedRepositories = true, mapType = WorkingMap.class)
	static class Repositories {

	}

	interface Http {

		@GetExchange("/work")
		@DistributedLock(name = Witness.LOCK)
		String work();

	}

	@DistributedLock(name = Witness.LOCK)
	interface LockedHttp {

		@GetExchange("/work")
		String call();

	}

	@Configuration(proxyBeanMethods = false)
	static class HttpConfiguration {

		@Bean
		HttpServiceProxyFactory clients() {
			return HttpServiceProxyFactory.builderFor(new LocalServer()).build();
		}

		@Bean
		Http http(HttpServiceProxyFactory clients) {
			return clients.createClient(Http.class);
		}

		@Bean
		LockedHttp lockedHttp(HttpServiceProxyFactory clients) {
			return clients.createClient(LockedHttp.class);
		}

	}

	/** The server that the clients call. */
	static class LocalServer implements HttpExchangeAdapter {

		@Override
		public boolean supportsRequestAttributes() {
			return false;
		}

		@Override
		public void exchange(HttpRequestValues request) {
			Witness.work();
		}

		@Override
		public HttpHeaders exchangeForHeaders(HttpRequestValues request) {
			Witness.work();
			return new HttpHeaders();
		}

		@Override
		@SuppressWarnings("unchecked")
		public <T> @Nullable T exchangeForBody(HttpRequestValues request, ParameterizedTypeReference<T> type) {
			return (T) Witness.work();
		}

		@Override
		public ResponseEntity<Void> exchangeForBodilessEntity(HttpRequestValues request) {
			Witness.work();
			return ResponseEntity.ok().build();
		}

		@Override
		public <T> ResponseEntity<T> exchangeForEntity(HttpRequestValues request, ParameterizedTypeReference<T> type) {
			Witness.work();
			return ResponseEntity.ok().build();
		}

	}

	static class OffInterface implements PlainInterface {

		@Override
		public String work() {
			return workOfClass();
		}

		@DistributedLock(name = Witness.LOCK)
		public String workOfClass() {
			return Witness.work();
		}

	}

	static class OnPrivate {

		@DistributedLock(name = Witness.LOCK)
		private String work() {
			return Witness.work();
		}

	}

	static class OnStatic {

		@DistributedLock(name = Witness.LOCK)
		public static String work() {
			return Witness.work();
		}

	}

	static class OnFinal {

		@DistributedLock(name = Witness.LOCK)
		public final String work() {
			return Witness.work();
		}

	}

	static final class FinalClass {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

	record OfRecord() {

		@DistributedLock(name = Witness.LOCK)
		public String work() {
			return Witness.work();
		}

	}

}
