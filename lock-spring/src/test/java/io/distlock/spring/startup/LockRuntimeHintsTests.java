package io.distlock.spring.startup;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

import io.distlock.DistributedLock;
import io.distlock.DistributedSemaphore;
import io.distlock.OnBusy;
import io.distlock.spring.definition.KeyRoot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class LockRuntimeHintsTests {

	private static final RuntimeHints FIXED = fixed();

	private static final RuntimeHints OF_BEAN = ofBean();

	@ParameterizedTest
	@ValueSource(strings = { "h2", "postgresql", "mysql" })
	void tablesOfTheFence(String database) {
		assertThat(
				RuntimeHintsPredicates.resource().forResource("io/distlock/spring/fencing/fence-" + database + ".sql"))
			.accepts(FIXED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "h2", "postgresql", "mysql", "mariadb" })
	void tablesOfLocks(String database) {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/distlock/jdbc/schema-" + database + ".sql"))
			.accepts(FIXED);
	}

	@Test
	void composedAnnotations() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(DistributedLock.class)).accepts(FIXED);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(DistributedSemaphore.class)).accepts(FIXED);
	}

	@ParameterizedTest
	@ValueSource(strings = { "getTarget", "getArgs", "getMethod", "getMethodName", "getTargetClass" })
	void rootOfKeys(String getter) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethod(ReflectionUtils.findMethod(KeyRoot.class, getter))
			.invoke()).accepts(FIXED);
	}

	@ParameterizedTest
	@MethodSource
	void whatKeysAndFallbacksReach(Class<?> type, String method) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethod(ReflectionUtils.findMethod(type, method, (Class<?>[]) null))
			.invoke()).accepts(OF_BEAN);
	}

	static Stream<Arguments> whatKeysAndFallbacksReach() {
		return Stream.of(arguments(Order.class, "customer"), arguments(Customer.class, "getName"),
				arguments(Tenants.class, "current"), arguments(Shop.class, "order"), arguments(Shop.class, "later"),
				arguments(Parcel.class, "number"), arguments(Label.class, "text"));
	}

	@Test
	void nothingForBeansWithoutLocks() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onMethod(ReflectionUtils.findMethod(Other.class, "order", Order.class))
			.invoke()
			.test(OF_BEAN)).isFalse();
	}

	private static RuntimeHints fixed() {
		RuntimeHints hints = new RuntimeHints();
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter((registrar) -> registrar.getClass().getName().startsWith("io.distlock.spring."))
			.forEach((registrar) -> registrar.registerHints(hints, LockRuntimeHintsTests.class.getClassLoader()));
		return hints;
	}

	private static RuntimeHints ofBean() {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get("test", "Shop")), new InMemoryGeneratedFiles());
		GenericApplicationContext context = new GenericApplicationContext();
		context.registerBean("tenants", Tenants.class);
		context.registerBean("shop", Shop.class);
		context.registerBean("other", Other.class);
		context.registerBean("depot", Depot.class);
		new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		return generation.getRuntimeHints();
	}

	record Order(Customer customer) {

	}

	static class Customer {

		public String getName() {
			return "";
		}

	}

	static class Tenants {

		public String current() {
			return "";
		}

	}

	static class Shop {

		@DistributedLock(key = "@tenants.current() + #order.customer.name", onBusy = OnBusy.FALLBACK,
				fallback = "later")
		public void order(Order order) {
		}

		void later(Order order) {
		}

	}

	record Parcel(String number) {

	}

	record Label(String text) {

	}

	abstract static class Store<T, L> {

		@DistributedLock(key = "#item.number() + #labels[0].text()")
		public void put(T item, List<L> labels) {
		}

	}

	static class Depot extends Store<Parcel, Label> {

	}

	static class Other {

		public void order(Order order) {
		}

	}

}
