package io.distlock.spring;

import java.io.Serializable;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.ParallelFlux;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.PriorityOrdered;

import io.distlock.DistributedLock;
import io.distlock.LockOptions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

@ExtendWith(OutputCaptureExtension.class)
class LockedBeanValidatorTests {

	private static final String BY_HAND = ", or take the lock in its body with LockTemplate";

	private static final String NOT_YET = ". Return the finished result, a CompletableFuture, a Mono or a Flux, or take the lock inside the asynchronous code with LockTemplate";

	@ParameterizedTest
	@MethodSource
	void refusesWhatCannotBeLocked(Class<?> type, String method, String text) {
		InvalidLockDefinitionException refusal = refusalOf(() -> LockedApplication.of(type).close());
		String bean = "lockedBeanValidatorTests." + type.getSimpleName();
		String place = "LockedBeanValidatorTests." + type.getSimpleName() + "." + method;
		assertThat(refusal).hasMessage("Bean '" + bean + "': @DistributedLock on " + place + ": " + text);
		assertThat(refusal.bean()).isEqualTo(bean);
		assertThat(refusal.method()).isEqualTo(place);
		assertThat(refusal.reason() + ". " + refusal.fix()).isEqualTo(text);
	}

	static Stream<Arguments> refusesWhatCannotBeLocked() {
		return Stream.of(
				arguments(Private.class, "run()",
						"the method is private, so no proxy sees the call. Make it public" + BY_HAND),
				arguments(Static.class, "run()",
						"the method is static, so no proxy sees the call. Make it an instance method" + BY_HAND),
				arguments(Final.class, "run()",
						"the method is final, so a proxy cannot override it. Remove 'final' (in Kotlin: make it 'open')"
								+ BY_HAND),
				arguments(FinalClass.class, "run()",
						"the class LockedBeanValidatorTests.FinalClass is final, so it cannot be proxied. "
								+ "Remove 'final' (in Kotlin: make it 'open')" + BY_HAND),
				arguments(OfRecord.class, "run()",
						"the class LockedBeanValidatorTests.OfRecord is final, so it cannot be proxied. Make it a class"
								+ BY_HAND),
				arguments(FinalOfClass.class, "run()",
						"the method is final, so a proxy cannot override it. Remove 'final' (in Kotlin: make it 'open')"
								+ BY_HAND),
				arguments(BadKey.class, "run(String)",
						"key '#ordr' uses the unknown variable #ordr. Did you mean #order? The parameters are #order, by position #p0"),
				arguments(LazyBadKey.class, "run(String)",
						"key '#ordr' uses the unknown variable #ordr. Did you mean #order? The parameters are #order, by position #p0"),
				arguments(NegativeWait.class, "run()", "waitTime -1s must not be negative. Use 0 for a single attempt"),
				arguments(ShortLease.class, "run()",
						"leaseTime 0s must be between 100ms and 11574d. Set it to how long the "
								+ "lock may outlive a process that died, for instance 30s, or leave it out"),
				arguments(NegativeCrowd.class, "run()",
						"maxWaiters -1 must be at least 1. Set it to how many callers may wait for one lock in one process, "
								+ "or leave it out. To try once without waiting, use a wait time of 0"),
				arguments(BadDuration.class, "run()",
						"waitTime \"soon\" is not a duration. Write it like \"5s\", \"1500ms\" or \"PT5S\""),
				arguments(BareNumber.class, "run()", "waitTime \"5\" has no unit. Write \"5s\" or \"5ms\""),
				arguments(BareNumberOfProperty.class, "run()",
						"leaseTime \"30\" from \"${nothing:30}\" has no unit. Write \"30s\" or \"30ms\""),
				arguments(BadProperty.class, "run(String)",
						"key '#sku.lenght' reads lenght, which String does not have. Did you mean length? "
								+ "String has blank, bytes, empty"),
				arguments(BadPlaceholder.class, "run()",
						"name \"${nowhere}\" has a placeholder without a value. "
								+ "Set the property, or give the placeholder a default: ${property:default}"),
				arguments(BlankName.class, "run()",
						"name \"${nothing:} \" is blank. Leave it out, or give it a value"));
	}

	@ParameterizedTest
	@MethodSource
	void refusesWhatWouldBeUnlockedTooEarly(Class<?> type, String text) {
		assertThat(refusalOf(() -> LockedApplication.of(type).close())).hasMessageEndingWith(": " + text + NOT_YET);
	}

	static Stream<Arguments> refusesWhatWouldBeUnlockedTooEarly() {
		return Stream.of(arguments(OfFuture.class, early("Future")), arguments(OfStream.class, early("Stream")),
				arguments(OfCallable.class, early("Callable")),
				arguments(OfOwnFuture.class, early("LockedBeanValidatorTests.OwnFuture")),
				arguments(OfParallelFlux.class, early("ParallelFlux")), arguments(OfGeneric.class, early("Stream")),
				arguments(OfWrapped.class, early("List with a Mono")),
				arguments(OfTwice.class, early("Mono with a Flux")),
				arguments(OfArray.class, early("CompletableFuture[] with a CompletableFuture")));
	}

	@Test
	void acceptsWhatTellsItsEnd() {
		LockedApplication.of(OfCompletableFuture.class, OfMono.class, OfFlux.class).close();
	}

	@Test
	void acceptsTypesThatNameThemselves() {
		try (LockedApplication application = LockedApplication.of(OfVariable.class)) {
			assertThat(application.get(OfVariable.class).max("a", "b")).isEqualTo("b");
			assertThat(application.get(OfVariable.class).most(List.of("a", "b"))).isEqualTo("b");
			assertThat(application.get(OfVariable.class).raw()).isEqualTo(Thread.State.NEW);
		}
	}

	private static String early(String type) {
		return "it returns " + type + ", so the lock would be released before the work is done";
	}

	@Test
	void refusesInterfaceProxyWithoutTheMethod() {
		assertThat(refusalOf(() -> LockedApplication.withInterfaceProxies(OffInterface.class).close()))
			.hasMessageEndingWith(
					"OffInterface.other(): the bean's proxy has only the methods of Runnable, and this is "
							+ "none of them. Declare it on the interface, or set spring.aop.proxy-target-class=true");
	}

	@Test
	void acceptsFinalMethodBehindAnInterfaceProxy() {
		LockedApplication.withInterfaceProxies(FinalRunnable.class).close();
		assertThat(refusalOf(() -> LockedApplication.of(FinalRunnable.class).close())).hasMessageContaining("is final");
	}

	/** Each is proxied by class although it has an interface and the others are not. */
	@ParameterizedTest
	@ValueSource(classes = { FinalWithCallback.class, FinalWithMarker.class, FinalInScope.class })
	void refusesFinalMethodBehindTheOneClassProxy(Class<?> type) {
		assertThat(refusalOf(() -> LockedApplication.withInterfaceProxies(type).close())).hasMessageEndingWith(
				"the method is final, so a proxy cannot override it. Remove 'final' (in Kotlin: make it 'open')"
						+ BY_HAND);
	}

	@Test
	void refusesFinalClassWithoutAnInterfaceToProxy() {
		assertThat(refusalOf(() -> LockedApplication.withInterfaceProxies(FinalClassWithCallback.class).close()))
			.hasMessageContaining("the class LockedBeanValidatorTests.FinalClassWithCallback is final");
	}

	@Test
	void refusesBeanThatWasCreatedTooEarlyToBeProxied() {
		assertThat(refusalOf(() -> LockedApplication.of(EarlyConfiguration.class).close()))
			.hasMessage("Bean 'early': @DistributedLock on LockedBeanValidatorTests.Sound.run(String): the bean has no "
					+ "proxy, so the method would run without the lock. Leave spring.aop.auto on; if the bean is needed by "
					+ "a BeanPostProcessor it is created too early to be proxied: move the method to another bean");
	}

	@Test
	void acceptsScopedProxiesPrototypesAndLazyBeans() {
		try (LockedApplication application = LockedApplication.of(Scopes.class)) {
			assertThat(application.get(Sound.class).run("a")).isEqualTo("a");
		}
	}

	@Test
	void warnsOfOverridesThatNobodyHas(CapturedOutput output) {
		Map<String, LockOptions> overrides = Map.of("sond", LockOptions.NONE.withWaitTime(Duration.ZERO), "sound",
				LockOptions.NONE.withWaitTime(Duration.ZERO));
		new LockedApplication(true, overrides, Map.of(), Sound.class).close();
		assertThat(output).contains(
				"distributed-lock.locks.sond has no effect: no annotated method has this name. Names are: [sound]");
		assertThat(output).doesNotContain("distributed-lock.locks.sound has no effect");
	}

	private static InvalidLockDefinitionException refusalOf(Runnable start) {
		Throwable[] found = new Throwable[1];
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(start::run).satisfies((ex) -> {
			for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
				found[0] = cause;
			}
		});
		return (InvalidLockDefinitionException) found[0];
	}

	static class Private {

		@DistributedLock(name = "x")
		private void run() {
		}

	}

	static class Static {

		@DistributedLock(name = "x")
		public static void run() {
		}

	}

	static class Final {

		@DistributedLock(name = "x")
		public final void run() {
		}

	}

	record OfRecord() {

		@DistributedLock(name = "x")
		public void run() {
		}

	}

	static final class FinalClass {

		@DistributedLock(name = "x")
		public void run() {
		}

	}

	@DistributedLock(name = "x")
	static class FinalOfClass {

		public final void run() {
		}

	}

	static class BadKey {

		@DistributedLock(key = "#ordr")
		public void run(String order) {
		}

	}

	@Lazy
	static class LazyBadKey {

		@DistributedLock(key = "#ordr")
		public void run(String order) {
		}

	}

	static class NegativeWait {

		@DistributedLock(waitTime = "-1s")
		public void run() {
		}

	}

	static class NegativeCrowd {

		@DistributedLock(maxWaiters = -1)
		public void run() {
		}

	}

	static class ShortLease {

		@DistributedLock(leaseTime = "0")
		public void run() {
		}

	}

	static class BadDuration {

		@DistributedLock(waitTime = "soon")
		public void run() {
		}

	}

	static class BareNumber {

		@DistributedLock(waitTime = "5")
		public void run() {
		}

	}

	static class BareNumberOfProperty {

		@DistributedLock(leaseTime = "${nothing:30}", waitTime = "0")
		public void run() {
		}

	}

	static class BadProperty {

		@DistributedLock(key = "#sku.lenght")
		public void run(String sku) {
		}

	}

	static class BadPlaceholder {

		@DistributedLock(name = "${nowhere}")
		public void run() {
		}

	}

	static class BlankName {

		@DistributedLock(name = "${nothing:} ")
		public void run() {
		}

	}

	static class OfCompletableFuture {

		@DistributedLock(name = "x")
		public CompletableFuture<String> run() {
			return new CompletableFuture<>();
		}

	}

	static class OfFuture {

		@DistributedLock(name = "x")
		public Future<String> run() {
			return new CompletableFuture<>();
		}

	}

	static class OfStream {

		@DistributedLock(name = "x")
		public Stream<String> run() {
			return Stream.empty();
		}

	}

	static class OfCallable {

		@DistributedLock(name = "x")
		public Callable<String> run() {
			return () -> "";
		}

	}

	static class OfMono {

		@DistributedLock(name = "x")
		public Mono<String> run() {
			return Mono.empty();
		}

	}

	static class OfFlux {

		@DistributedLock(name = "x")
		public Flux<String> run() {
			return Flux.empty();
		}

	}

	abstract static class Generic<T> {

		@DistributedLock(name = "x")
		public T run() {
			throw new UnsupportedOperationException();
		}

	}

	static class OfGeneric extends Generic<Stream<String>> {

	}

	static class OwnFuture extends CompletableFuture<String> {

	}

	static class OfOwnFuture {

		@DistributedLock(name = "x")
		public OwnFuture run() {
			return new OwnFuture();
		}

	}

	static class OfParallelFlux {

		@DistributedLock(name = "x")
		public ParallelFlux<String> run() {
			return Flux.<String>empty().parallel();
		}

	}

	static class OfWrapped {

		@DistributedLock(name = "x")
		public List<Mono<String>> run() {
			return List.of();
		}

	}

	static class OfArray {

		@DistributedLock(name = "x")
		public CompletableFuture<?>[] run() {
			return new CompletableFuture<?>[0];
		}

	}

	static class OfVariable {

		@DistributedLock(name = "x")
		public <T extends Comparable<T>> T max(T one, T other) {
			return (one.compareTo(other) > 0) ? one : other;
		}

		@DistributedLock(name = "x")
		public <T extends Comparable<? super T>> T most(List<T> all) {
			return Collections.max(all);
		}

		@DistributedLock(name = "x")
		@SuppressWarnings("rawtypes")
		public Enum raw() {
			return Thread.State.NEW;
		}

	}

	static class OfTwice {

		@DistributedLock(name = "x")
		public Mono<Flux<String>> run() {
			return Mono.empty();
		}

	}

	static class OffInterface implements Runnable {

		@Override
		@DistributedLock(name = "x")
		public void run() {
		}

		@DistributedLock(name = "y")
		public void other() {
		}

	}

	static class FinalRunnable implements Runnable {

		@Override
		@DistributedLock(name = "x")
		public final void run() {
		}

	}

	static class FinalWithCallback implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
		}

		@DistributedLock(name = "x")
		public final void run() {
		}

	}

	static class FinalWithMarker implements Serializable {

		@DistributedLock(name = "x")
		public final void run() {
		}

	}

	static final class FinalClassWithCallback implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
		}

		@DistributedLock(name = "x")
		public void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FinalInScope {

		@Bean
		@Scope(scopeName = "singleton", proxyMode = ScopedProxyMode.TARGET_CLASS)
		FinalRunnable scoped() {
			return new FinalRunnable();
		}

	}

	static class Sound {

		@DistributedLock(name = "sound", key = "#value")
		public String run(String value) {
			return value;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EarlyConfiguration {

		@Bean
		static Sound early() {
			return new Sound();
		}

		@Bean
		static Needy needy(Sound sound) {
			return new Needy();
		}

	}

	/** Created before the proxy creator. */
	static class Needy implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scopes {

		@Bean
		@Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
		Sound scoped() {
			return new Sound();
		}

		@Bean
		@Lazy
		OffInterface lazily() {
			return new OffInterface();
		}

		@Bean
		@Scope("prototype")
		OffInterface prototype() {
			return new OffInterface();
		}

	}

}
