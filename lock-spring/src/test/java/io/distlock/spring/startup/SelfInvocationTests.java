package io.distlock.spring.startup;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.util.ClassUtils;

import io.distlock.DistributedLock;
import io.distlock.LockMode;
import io.distlock.output.DocPage;
import io.distlock.spring.EnableDistributedLocks;
import io.distlock.spring.definition.LockedBeanMethod;
import io.distlock.spring.definition.LockedMethods;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(OutputCaptureExtension.class)
class SelfInvocationTests {

	private static final String PAST = "bypasses the proxy";

	@Test
	void warningNamesCallerLineAndFixOnceForAllThatInheritIt(CapturedOutput output) {
		new AnnotationConfigApplicationContext(Shop.class).close();
		Calls calls = new Calls();
		calls.deductAll("book");
		assertThat(warnings(output)).singleElement()
			.asString()
			.endsWith(
					"SelfInvocationTests.Calls: deductAll() calls SelfInvocationTests.Calls.deduct(String, int) of its "
							+ "own object (SelfInvocationTests.java:" + calls.calledFromLine
							+ "), which bypasses the proxy: it runs without lock 'stock'. Move the called method to another "
							+ "bean, take the lock there with LockTemplate, or call it on the bean that "
							+ "ObjectProvider<SelfInvocationTests.Calls> returns. With Spring Boot, "
							+ "distributed-lock.self-invocation=fail refuses the start instead");
	}

	@Test
	void warningIsOnThePage() {
		DocPage.of("startup-messages.md")
			.says(warnings(Calls.class).get(0)
				.replace("SelfInvocationTests.Calls.deduct(String, int)", "StockService.deduct(String)")
				.replace("SelfInvocationTests.Calls", "StockService")
				.replace("deductAll()", "sell()")
				.replaceAll("SelfInvocationTests.java:\\d+", "StockService.java:27"));
	}

	@ParameterizedTest
	@ValueSource(classes = { FromLambda.class, ByReference.class, FromInnerClass.class, FromConstructor.class,
			AfterBranches.class, AfterStringSwitch.class, AfterTernary.class, ThroughInterface.class, Inherited.class,
			InheritedGeneric.class, ThroughSuper.class })
	void findsCallOnThis(Class<?> type) {
		assertThat(warnings(type)).singleElement()
			.asString()
			.contains(" of its own object (SelfInvocationTests.java:", PAST);
	}

	/** Whether the key of both calls is the same is not followed. */
	@ParameterizedTest
	@ValueSource(classes = { OtherKey.class, OtherArgument.class, Overloaded.class, SharedCallsExclusive.class })
	void findsCallUnderALockThatMayBeAnother(Class<?> type) {
		assertThat(warnings(type)).singleElement().asString().contains(PAST);
	}

	@ParameterizedTest
	@ValueSource(classes = { SameFixedLock.class, Recursive.class, Overridden.class })
	void acceptsCallUnderTheSameLock(Class<?> type) {
		assertThat(warnings(type)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "FromLambda, run() calls", "FromConstructor, its constructor calls",
			"FromInnerClass, SelfInvocationTests.FromInnerClass.1: run() calls" })
	void namesCallerAsItWasWritten(String type, String caller) throws ClassNotFoundException {
		assertThat(warnings(ClassUtils.forName(SelfInvocationTests.class.getName() + "$" + type, null))).singleElement()
			.asString()
			.contains(caller);
	}

	@Test
	void readsClassFileOfALaterJava() throws Exception {
		Class<?> later = new OtherFile((code) -> {
			code[7] = 90;
			return code;
		}).loadClass(Calls.class.getName());
		assertThat(warnings(later)).hasSize(1);
	}

	@Test
	void leavesOutClassFileThatItCannotRead() throws Exception {
		Class<?> broken = new OtherFile((code) -> Arrays.copyOf(code, code.length / 2))
			.loadClass(Calls.class.getName());
		assertThat(warnings(broken)).isEmpty();
		assertThat(warnings(new OtherFile((code) -> code).loadClass(Calls.class.getName()))).hasSize(1);
	}

	static List<String> warnings(Class<?> type) {
		return List.copyOf(SelfInvocationCheck.warnings(type, places(type)));
	}

	private static List<LockedBeanMethod> places(Class<?> type) {
		LockedMethods methods = new LockedMethods(new DefaultListableBeanFactory(), Map.of());
		return methods.on(type)
			.stream()
			.map((method) -> new LockedBeanMethod("bean", type, null, methods.get(method, type)))
			.toList();
	}

	private static List<String> warnings(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains(PAST)).toList();
	}

	/** Loads {@link Calls}, but has another class file of it to read. */
	private static final class OtherFile extends ClassLoader {

		private final UnaryOperator<byte[]> change;

		OtherFile(UnaryOperator<byte[]> change) {
			super(SelfInvocationTests.class.getClassLoader());
			this.change = change;
		}

		@Override
		protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
			if (!name.equals(Calls.class.getName())) {
				return super.loadClass(name, resolve);
			}
			byte[] code = code(Calls.class.getName().replace('.', '/') + ".class");
			return defineClass(name, code, 0, code.length);
		}

		@Override
		public InputStream getResourceAsStream(String name) {
			return new ByteArrayInputStream(this.change.apply(code(name)));
		}

		private byte[] code(String file) {
			try (InputStream in = getParent().getResourceAsStream(file)) {
				return in.readAllBytes();
			}
			catch (IOException ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableDistributedLocks
	@Import({ Calls.class, InheritsCalls.class })
	static class Shop {

	}

	static class Calls {

		int calledFromLine;

		public void deductAll(String sku) {
			int quantity = sku.isEmpty() ? 0 : 2;
			deduct(sku, (quantity > 1) ? 1 : quantity);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku, int quantity) {
			this.calledFromLine = new Throwable().getStackTrace()[1].getLineNumber();
		}

	}

	static class InheritsCalls extends Calls {

	}

	static class FromLambda {

		public void run(List<String> all) {
			all.forEach((sku) -> deduct(sku));
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class ByReference {

		public void run(List<String> all) {
			all.forEach(this::deduct);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class FromInnerClass {

		public Runnable later() {
			return new Runnable() {
				@Override
				public void run() {
					deduct("book");
				}
			};
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class FromConstructor {

		FromConstructor() {
			deduct("book");
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class AfterBranches {

		public void run(String sku, int number) {
			for (int i = 0; i < number; i++) {
				deduct(switch (i) {
					case 0 -> sku + i;
					case 1 -> (number > 5) ? sku.trim() : "few";
					default -> sku;
				});
			}
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class AfterStringSwitch {

		public void run(String sku) {
			deduct(switch (sku) {
				case "few" -> sku.trim();
				case "many" -> "book";
				default -> sku;
			});
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class AfterTernary {

		public void run(Object sku) {
			deduct((sku instanceof String text) ? text : "book");
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class OtherKey {

		@DistributedLock(name = "stock", key = "#sku + '-all'")
		public void run(String sku) {
			deduct(sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	interface Deducts {

		void deduct(String sku);

		default void run(String sku) {
			deduct(sku);
		}

	}

	static class ThroughInterface implements Deducts {

		@DistributedLock(name = "stock", key = "#sku")
		@Override
		public void deduct(String sku) {
		}

	}

	abstract static class Base<T> {

		public void run(T sku) {
			deduct(sku);
		}

		public abstract void deduct(T sku);

	}

	static class InheritedGeneric extends Base<String> {

		@DistributedLock(name = "stock", key = "#sku")
		@Override
		public void deduct(String sku) {
		}

	}

	static class Inherited extends FromLambda {

	}

	static class ThroughSuper extends Plain {

		@Override
		public void run(List<String> all) {
			super.deduct(all.get(0));
		}

		@Override
		public void deduct(String sku) {
		}

	}

	static class Plain {

		public void run(List<String> all) {
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class OtherArgument {

		@DistributedLock(name = "stock", key = "#from")
		public void move(String from, String to) {
			deduct(to);
		}

		@DistributedLock(name = "stock", key = "#from")
		public void deduct(String from) {
		}

	}

	static class SharedCallsExclusive {

		@DistributedLock(name = "stock", key = "#sku", mode = LockMode.SHARED)
		public void run(String sku) {
			deduct(sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
		}

	}

	static class Overloaded {

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(long before, String sku) {
			long count = 1;
			deduct(count + before, 2.5, sku);
		}

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(long count, double share, String sku) {
		}

	}

	static class SameFixedLock {

		@DistributedLock(name = "report")
		public void run() {
			report();
		}

		@DistributedLock(name = "report")
		public void report() {
		}

	}

	static class Recursive {

		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
			if (!sku.isEmpty()) {
				deduct(sku.substring(1));
			}
		}

	}

	static class Overridden extends Plain {

		@Override
		@DistributedLock(name = "stock", key = "#sku")
		public void deduct(String sku) {
			super.deduct(sku);
		}

	}

}
