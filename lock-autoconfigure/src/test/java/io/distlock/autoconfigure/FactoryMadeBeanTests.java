package io.distlock.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import io.distlock.DistributedLock;
import io.distlock.LockContext;
import io.distlock.LockHandle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Beans that a factory makes, as repositories, mappers and HTTP clients are. */
@ExtendWith(OutputCaptureExtension.class)
class FactoryMadeBeanTests {

	private static final String MEMORY = "distributed-lock.store=memory";

	@ParameterizedTest
	@ValueSource(classes = { Eager.class, Lazy.class })
	void methodsAreLockedAndReported(Class<?> application, CapturedOutput output) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, application, MEMORY)) {
			assertThat(output).contains("1 method has a distributed lock")
				.contains("FactoryMadeBeanTests.Client.get(String)");
			assertThat(context.getBean(Client.class).get("a")).containsExactly("client:a");
		}
	}

	@Test
	void wrongKeyIsRefusedBeforeTheFirstCall(CapturedOutput output) {
		assertThat(FailedStart.of(output, Misspelt.class, MEMORY)).isEqualTo(new FailedStart(
				"@DistributedLock on FactoryMadeBeanTests.MisspeltClient.get(String) of bean 'client' cannot work: "
						+ "key '#idd' uses the unknown variable #idd.",
				"Did you mean #id? The parameters are #id, by position #p0."));
	}

	@Test
	void finalMethodOfAProductIsRefused(CapturedOutput output) {
		assertThat(FailedStart.of(output, Final.class, MEMORY).description())
			.isEqualTo("@DistributedLock on FactoryMadeBeanTests.FinalClient.get() of bean 'client' cannot work: the "
					+ "method is final, so a proxy cannot override it.");
	}

	@Test
	void productOfWhichOnlyTheInterfaceIsProxiedIsRefused(CapturedOutput output) {
		assertThat(
				FailedStart.of(output, OffInterface.class, MEMORY, "spring.aop.proxy-target-class=false").description())
			.isEqualTo(
					"@DistributedLock on FactoryMadeBeanTests.SecretClient.get() of bean 'client' cannot work: the bean's "
							+ "proxy has only the methods of Runnable, and this is none of them.");
	}

	@Test
	void productWithoutAProxyIsRefused(CapturedOutput output) {
		assertThat(FailedStart.of(output, Eager.class, MEMORY, "spring.aop.auto=false").description())
			.isEqualTo("@DistributedLock on FactoryMadeBeanTests.Client.get(String) of bean 'client' cannot work: the "
					+ "bean has no proxy, so the method would run without the lock.");
	}

	/** Each time, not only the first. */
	@Test
	void prototypeWithoutAProxyIsNotGiven() {
		try (ConfigurableApplicationContext context = LockApplications.start(false, Prototype.class, MEMORY,
				"spring.aop.auto=false")) {
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(BeanCreationException.class)
					.isThrownBy(() -> context.getBean(PrototypeClient.class))
					.havingRootCause()
					.withMessageStartingWith(
							"Bean 'client': @DistributedLock on FactoryMadeBeanTests.PrototypeClient.get(): "
									+ "the bean has no proxy, so the method would run without the lock.");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { Prototype.class, Scoped.class })
	void beanThatIsMadeAnewIsLockedAndReportedOnce(Class<?> application, CapturedOutput output) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, application, MEMORY)) {
			assertThat(context.getBean(PrototypeClient.class).get()).containsExactly("client");
			assertThat(output).contains("1 method has a distributed lock");
		}
	}

	/** A lambda has a class of its own, with another name in each process. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lambdaIsLockedByItsInterface(boolean classProxies, CapturedOutput output) {
		try (ConfigurableApplicationContext context = LockApplications.start(false, Lambdas.class, MEMORY,
				"spring.aop.proxy-target-class=" + classProxies)) {
			assertThat(context.getBean(Client.class).get("a")).containsExactly("client:a");
			assertThat(context.getBean(Nameless.class).get()).containsExactly(Nameless.class.getName() + ".get()");
			assertThat(context.getBean(Typed.class).get()).containsExactly(Typed.class.getName());
			assertThat(context.getBean(Narrow.class).apply("a")).containsExactly("narrow:a");
			Function<String, List<String>> wide = context.getBean(Narrow.class);
			assertThat(wide.apply("a")).containsExactly("narrow:a");
			assertThat(output).contains("FactoryMadeBeanTests.Client.get(String)")
				.contains("FactoryMadeBeanTests.Nameless.get()")
				.contains("4 methods have a distributed lock")
				.doesNotContain("has no name and no key");
		}
	}

	@Test
	void lambdasThatShareALockAreWarnedOf(CapturedOutput output) {
		LockApplications.start(false, Twins.class, MEMORY).close();
		assertThat(output)
			.contains("@DistributedLock of FactoryMadeBeanTests.Nameless.get() has no name and no key, so "
					+ "it is one lock for all beans that have the method: 'left', 'right'. If each is to have its own, make "
					+ "each a class and write key = \"#root.targetClass.name\"; if not, give it a name.");
	}

	interface Client {

		@DistributedLock(name = "client", key = "#id")
		List<String> get(String id);

	}

	interface Nameless {

		@DistributedLock
		List<String> get();

	}

	interface Typed {

		@DistributedLock(key = "#root.targetClass.name")
		List<String> get();

	}

	interface Narrow extends Function<String, List<String>> {

		@Override
		@DistributedLock(name = "narrow", key = "#id")
		List<String> apply(String id);

	}

	private record User(Object client) {

	}

	interface MisspeltClient {

		@DistributedLock(name = "client", key = "#idd")
		List<String> get(String id);

	}

	static class PrototypeClient {

		@DistributedLock(name = "client")
		public List<String> get() {
			return held();
		}

	}

	static class FinalClient {

		@DistributedLock(name = "client")
		public final void get() {
		}

	}

	static class SecretClient implements Runnable {

		@Override
		public void run() {
		}

		@DistributedLock(name = "client")
		public void get() {
		}

	}

	private static List<String> held() {
		return LockContext.all().stream().map(LockHandle::key).toList();
	}

	/** As those of libraries do it: the type is known before the product is there. */
	private record Factory<T>(Class<T> type, @Nullable T product) implements FactoryBean<T> {

		@Override
		public T getObject() {
			return (this.product != null) ? this.product
					: this.type.cast(Proxy.newProxyInstance(this.type.getClassLoader(), new Class<?>[] { this.type },
							(proxy, method, arguments) -> held()));
		}

		@Override
		public Class<?> getObjectType() {
			return this.type;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lambdas {

		@Bean
		Client client() {
			return (id) -> held();
		}

		@Bean
		FactoryBean<Nameless> nameless() {
			return new Factory<>(Nameless.class, FactoryMadeBeanTests::held);
		}

		@Bean
		Typed typed() {
			return FactoryMadeBeanTests::held;
		}

		@Bean
		Narrow narrow() {
			return (id) -> held();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Twins {

		@Bean
		Nameless left() {
			return FactoryMadeBeanTests::held;
		}

		@Bean
		Nameless right() {
			return FactoryMadeBeanTests::held;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Lazy {

		@Bean
		FactoryBean<Client> client() {
			return new Factory<>(Client.class, null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Eager {

		@Bean
		FactoryBean<Client> client() {
			return new Factory<>(Client.class, null);
		}

		@Bean
		User user(Client client) {
			return new User(client);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Prototype {

		@Bean
		@Scope(BeanDefinition.SCOPE_PROTOTYPE)
		PrototypeClient client() {
			return new PrototypeClient();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		@Scope(value = BeanDefinition.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
		PrototypeClient client() {
			return new PrototypeClient();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Misspelt {

		@Bean
		FactoryBean<MisspeltClient> client() {
			return new Factory<>(MisspeltClient.class, null);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Final {

		@Bean
		FactoryBean<FinalClient> client() {
			return new Factory<>(FinalClient.class, new FinalClient());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OffInterface {

		@Bean
		FactoryBean<SecretClient> client() {
			return new Factory<>(SecretClient.class, new SecretClient());
		}

		@Bean
		User user(Runnable client) {
			return new User(client);
		}

	}

}
